import type { TryData } from '../try-documents.ts';

/** Where Redoc keeps the choices of a reader, among them the language of samples. */
const cookie = /(?:^|; )redoc\.appStore=([^;]*)/;

/** Shows the samples of an operation in the language that was chosen on a reference first. */
export function preferChosenLanguage(documents: TryData['documents'], cookies: string): void {
  const language = chosenLanguage(cookies);
  if (language === undefined) return;
  for (const { content } of documents) {
    for (const operation of Object.values(content.paths).flatMap((item) => Object.values(item))) {
      const samples: unknown = Object(operation)['x-codeSamples'];
      if (Array.isArray(samples))
        samples.sort((one, other) => Number(other.label === language) - Number(one.label === language));
    }
  }
}

/** The label of a language; `undefined` if none was chosen. */
export function chosenLanguage(cookies: string): string | undefined {
  try {
    const { language } = JSON.parse(decodeURIComponent(cookie.exec(cookies)?.[1] ?? ''));
    return typeof language === 'string' ? language : undefined;
  } catch {
    return undefined;
  }
}

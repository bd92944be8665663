import type { EmailToSend, TemplateReference } from '../../../../generated/email/models.ts';
import { decodeBase64 } from '../../rules/bytes.ts';
import type { Context } from '../../rules/context.ts';
import type { EmailTemplate } from './messages.ts';

export interface EmailContent {
  html: string;
  text: string | null;
}

/** Content in a request: a body or an unresolved template reference. */
export type Source = EmailContent | { template: TemplateReference };

/** Reads the body or the template reference, and rejects any other combination (Document 3 §4). */
export function readSource(email: EmailToSend, context: Context): Source {
  const { text = '', template, auto_plain_text: generates = false } = email;
  // Base64 may contain line breaks, so whitespace in it has no meaning.
  const encoded = email.html?.trim() ?? '';
  const hasTemplate = template !== undefined && isGiven(template);
  if ((email.html !== undefined && encoded === '') || email.text === '' || (template && !hasTemplate))
    context.chose('email-content-empty');
  if (hasTemplate && (encoded !== '' || text !== ''))
    context.reject('email-body-or-template', {
      message: 'A template replaces html and text. Send either a template, or html and text.',
      choice: 'email-content-mixed',
    });
  if (hasTemplate) return { template };
  if (encoded === '')
    context.reject('email-body-or-template', {
      message: 'An email needs html and text, or a template.',
      choice: 'email-rejection',
    });
  if (text === '' && !generates)
    context.reject('email-body-or-template', {
      message: 'An email with html also needs text. Set auto_plain_text to true to generate the text.',
      choice: 'email-rejection',
    });
  const bytes = decodeBase64(encoded);
  if (!bytes) return context.rejectByChoice('email-base64', 'html must be encoded in Base64.');
  return { html: new TextDecoder().decode(bytes), text: text || null };
}

/** Returns the body to send. Fills in the template, if any, and generates a text part if the request asks for one. */
export function makeContent(
  source: Source,
  { auto_plain_text: generates }: EmailToSend,
  context: Context,
): EmailContent {
  const content = 'template' in source ? fill(source.template, context) : source;
  if (content.text !== null || !generates) return content;
  context.chose('email-generated-text');
  const withoutTags = content.html.replace(/<[^<>]*>/g, ' ');
  return { html: content.html, text: withoutTags.replace(/\s+/g, ' ').trim() };
}

function isGiven({ id = '', variables = {} }: TemplateReference): boolean {
  return id !== '' || Object.keys(variables).length > 0;
}

function fill({ id = '', variables = {} }: TemplateReference, context: Context): EmailContent {
  const template = findTemplate(String(id), context);
  if (Object.keys(variables).length > 0) context.chose('email-template-variables');
  const filledIn = new Map<string, string>();
  const value = (_: string, name: string): string => {
    context.chose('email-template-variables');
    const text = filledIn.get(name) ?? asString(Object.hasOwn(variables, name) ? variables[name] : '');
    filledIn.set(name, text);
    return text;
  };
  const filled = (part: string): string => part.replace(/\{\{\s*([\p{L}\p{N}_]+)\s*\}\}/gu, value);
  return { html: filled(template.html), text: template.text === null ? null : filled(template.text) };
}

function findTemplate(id: string, context: Context): EmailTemplate {
  const { templates } = context.state.email;
  const found = templates.get(id) ?? [...templates.values()].find(({ realId }) => realId === id);
  if (found) return found;
  return context.reject('email-template-reference', {
    message: 'template.id must be the id or real_id of a stored template.',
    choice: 'email-template',
  });
}

function asString(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

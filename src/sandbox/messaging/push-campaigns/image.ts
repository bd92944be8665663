import { messagingRules } from '../../../../generated/messaging/reference.ts';
import { decodeBase64 } from '../../bytes.ts';

/** A web push image must be smaller than this. */
const imageBytes = messagingRules['push-image-file'].values.kilobytes * 1024;

/** Permitted file types: the first characters of their Base64, and their file extensions. */
const kinds = [
  { base64: '/9j/', endings: ['jpg', 'jpeg'] },
  { base64: 'iVBORw0KGgo', endings: ['png'] },
  { base64: 'R0lGOD', endings: ['gif'] },
];

/** Returns the problem with the larger image of a notification, or `undefined`. */
export function imageFault(image: string): string | undefined {
  if (/^https?:\/\//i.test(image)) return addressFault(image);
  const base64 = image.replace(/^data:[\w/+.-]*;base64,/i, '').replace(/\s/g, '');
  const bytes = kinds.some((kind) => base64.startsWith(kind.base64)) ? decodeBase64(base64) : undefined;
  if (!bytes) return 'image must be an address, or Base64 of a JPG, PNG or GIF file.';
  return bytes.length < imageBytes ? undefined : `image must be smaller than ${imageBytes} bytes.`;
}

function addressFault(image: string): string | undefined {
  if (!URL.canParse(image)) return 'image is not a valid address.';
  const ending = /\.(\w+)$/.exec(new URL(image).pathname)?.[1]?.toLowerCase();
  if (ending === undefined || kinds.some(({ endings }) => endings.includes(ending))) return undefined;
  return 'image must be a JPG, PNG or GIF file.';
}

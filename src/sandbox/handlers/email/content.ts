import type { EmailToSend, TemplateReference } from '../../../../generated/email/models.ts';
import type { Context } from '../../handler.ts';
import type { EmailTemplate } from '../../state/email.ts';

export interface Content {
  html: string;
  text: string | null;
}

/** The body of an email: its own, or that of its template. */
export function readContent(email: EmailToSend, context: Context): Content {
  const { html: encoded = '', text = '', template, auto_plain_text: generates = false } = email;
  const hasTemplate = template !== undefined && isGiven(template);
  if (email.html === '' || email.text === '' || (template && !hasTemplate)) context.chose('email-content-empty');
  if (hasTemplate && (encoded !== '' || text !== ''))
    context.refuse('email-body-or-template', {
      message: 'A template takes the place of html and text: send one or the other.',
      choice: 'email-content-mixed',
    });
  if (hasTemplate) return withText(fill(template, context), generates, context);
  if (encoded === '')
    context.refuse('email-body-or-template', {
      message: 'An email needs html with text, or a template.',
      choice: 'email-refusal-answer',
    });
  if (text === '' && !generates)
    context.refuse('email-body-or-template', {
      message: 'An email with html needs text too; auto_plain_text: true generates it.',
      choice: 'email-refusal-answer',
    });
  const bytes = decodeBase64(encoded);
  if (!bytes) return context.refuseByChoice('email-base64', { message: 'html is encoded in Base64.' });
  return withText({ html: new TextDecoder().decode(bytes), text: text || null }, generates, context);
}

/** The bytes that Base64 stands for; nothing where it is not Base64. */
export function decodeBase64(encoded: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function isGiven({ id = '', variables = {} }: TemplateReference): boolean {
  return id !== '' || Object.keys(variables).length > 0;
}

function withText({ html, text }: Content, generates: boolean, context: Context): Content {
  if (text !== null || !generates) return { html, text };
  context.chose('email-generated-text');
  const withoutTags = html.replace(/<[^<>]*>/g, ' ');
  return { html, text: withoutTags.replace(/\s+/g, ' ').trim() };
}

function fill({ id = '', variables = {} }: TemplateReference, context: Context): Content {
  const template = findTemplate(String(id), context);
  const value = (_: string, name: string): string => asText(Object.hasOwn(variables, name) ? variables[name] : '');
  const filled = (part: string): string => part.replace(/\{\{\s*(\w+)\s*\}\}/g, value);
  context.chose('email-template-variables');
  return { html: filled(template.html), text: template.text === null ? null : filled(template.text) };
}

function findTemplate(id: string, context: Context): EmailTemplate {
  const { templates } = context.state.email;
  const found = templates.get(id) ?? [...templates.values()].find(({ realId }) => realId === id);
  if (found) return found;
  return context.refuse('email-template-reference', {
    message: 'template.id is neither the id nor the real_id of a stored template.',
    choice: 'email-template',
  });
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

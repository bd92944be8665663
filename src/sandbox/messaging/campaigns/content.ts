import { type CampaignCreate, MessageType } from '../../../../generated/messaging/models.ts';
import type { Context } from '../../rules/context.ts';
import { isGiven } from '../request-fields.ts';
import type { Campaign } from './campaigns.ts';
import { matchesTemplate } from './templates.ts';

export type CampaignContent = Pick<Campaign, 'message' | 'button' | 'imageLink' | 'resend'>;

/** Returns the content of a campaign. Rejects combinations of content that are not permitted (Document 2 §2). */
export function readContent(body: CampaignCreate, context: Context): CampaignContent {
  const { button, image, resend_sms: resend } = body.additional ?? {};
  const hasButton = Boolean(button?.text || button?.link);
  const content: CampaignContent = {
    message: body.message || null,
    button: hasButton ? { text: button?.text ?? '', link: button?.link ?? '' } : null,
    imageLink: image?.link || null,
    resend: resend?.status ? { text: resend.sms_text ?? '', senderName: resend.sms_sender_name ?? '' } : null,
  };
  if (body.message === '' || (button && !content.button) || (image && !content.imageLink))
    context.chose('messaging-empty-content');
  if (body.message_type === MessageType.System) rejectExtras(content, context);
  else rejectPromoContent(body, content, context);
  return content;
}

function rejectExtras({ button, imageLink, resend }: CampaignContent, context: Context): void {
  if (button || imageLink || resend)
    context.reject('messaging-promo-extras', {
      message: 'A system message cannot have a button, an image or an SMS resend.',
      choice: 'messaging-rejection-without-code',
    });
}

/** Rejects a system message whose text matches no approved template of its sender. */
export function rejectOtherText(body: CampaignCreate, { message }: CampaignContent, context: Context): void {
  if (body.message_type !== MessageType.System || message === null) return;
  if (!matchesTemplate(context.state.messaging, body.sender_id, message))
    context.reject('messaging-system-text-matches-template', {
      message: 'The text of a system message must match an approved template of its sender.',
      choice: 'messaging-rejection-without-code',
    });
  context.chose('messaging-template-text');
}

function rejectPromoContent(body: CampaignCreate, content: CampaignContent, context: Context): void {
  const { message, button, imageLink, resend } = content;
  const ofTemplate = isGiven(body.template_id) || Object.keys(body.variables ?? {}).length > 0;
  const permitted = message === null ? imageLink !== null && !button : imageLink === null || button !== null;
  if (ofTemplate || !permitted)
    context.reject('messaging-content-combinations', {
      message:
        'A promo message must consist of text, text with a button, text with a button and an image, or an image alone.',
      choice: 'messaging-rejection-without-code',
    });
  if (button && !(button.text && button.link))
    context.rejectByChoice('messaging-incomplete-extra', 'A button needs text and a link.');
  if (resend && !(resend.text && resend.senderName))
    context.reject('messaging-resend-sms', {
      message: 'A resend through SMS needs sms_text and sms_sender_name.',
      choice: 'messaging-incomplete-extra',
    });
}

/** Choices about messages: their content, delivery, lists and bounces, by id. */
export const messageChoices = {
  'email-content-mixed': 'A template together with `html` or `text` gets status 422.',
  'email-content-empty':
    'An empty `text`, a blank `html`, and a template without an ID and variables count as missing.',
  'email-base64':
    '`html` and the files in `attachments_binary` get status 422 if they are not Base64. `html` is decoded as UTF-8.',
  'email-generated-text': 'The generated text part is the HTML without its tags.',
  'email-template-variables':
    'Templates mark a variable as `{{name}}`. Variables are filled in as text, or as JSON if the value is a list or an object. A variable without a value becomes an empty text. Variables that the template does not have are ignored.',
  'email-template':
    'The stored templates are those in `state.email.templates`, because no operation stores or lists templates. Any other ID gets status 422.',
  'email-message-record':
    'An email has one message record, regardless of its number of recipients. `recipient` is null if `to` has several. Confirmation emails are also records and count in the total.',
  'email-message-size':
    '`total_size` is the size of the subject, of both parts of the body and of the decoded attachments, in bytes.',
  'email-delivery':
    'The receiving server replies at once. The address of the first recipient in `to` determines the outcome of an email. One that starts with `bounce` bounces with 550. One that starts with `unopened` is not opened. One that starts with `unclicked` is opened but not clicked. Any other email is opened after 1 minute, and its first link, if any, is clicked after 2 minutes.',
  'email-unsubscribed-recipient': 'An email to an unsubscribed address is delivered as usual.',
  'email-ips': '`sender_ip` and `used_ip` are the first sender IP of the account.',
  'email-empty-filter': 'An empty `from`, `to`, `sender`, `recipient` or `country` counts as missing.',
  'email-message-period':
    '`from` and `to` have the format `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`. They are compared with the send date and include their bounds and whole days. Any other format gets status 422.',
  'email-message-addresses':
    '`sender` and `recipient` match whole addresses. Recipients are all addresses in `to`, `cc` and `bcc`.',
  'email-country': '`country` has no effect unless its value is the documented word.',
  'email-many-messages':
    'Requesting several messages returns an array of records like those of the list, in the order of the request and without duplicates. Unknown IDs are omitted.',
  'email-bounce-time':
    'A message bounces when it is sent, and stops being a bounce exactly when the documented hours have passed. `date` limits the bounces to those of that day.',
} as const;

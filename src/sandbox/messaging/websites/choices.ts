/** Choices about websites and their subscribers, by id. */
export const websiteChoices = {
  'push-website-status': 'The status of a website is 1 in the list and `active` when it is read, or 0 and `inactive`.',
  'push-subscriber-count': 'All subscribers are counted, also the deactivated and unsubscribed ones.',
  'push-subscription-dates': 'The bounds of the subscription date are inclusive.',
  'push-variables-cut':
    'The variables of a website, which are read without pages, end with those that a reply of web push may hold.',
  'push-variable-entry': 'A variable of a subscriber is written as `{name, value}`.',
  'push-script': 'The script of a website stands at `https://push.example.com/<id>.js`.',
} as const;

/** Choices about websites and their subscribers, by id. */
export const websiteChoices = {
  'push-website-status':
    'The status of an active website is 1 in the list and `active` in its own record. The status of an inactive one is 0 and `inactive`.',
  'push-subscriber-count': 'Subscriber counts include deactivated and unsubscribed subscribers.',
  'push-subscription-dates': 'The bounds of the subscription date are inclusive.',
  'push-variables-cut':
    "The list of a website's variables has no pages. It is cut off at the maximum number of entries in a web push reply.",
  'push-variable-entry': 'A variable of a subscriber has the form `{name, value}`.',
  'push-script': 'The script of a website is at `https://push.example.com/<id>.js`.',
} as const;

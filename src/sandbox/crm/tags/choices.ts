/** Choices about tags, by id. */
export const tagChoices = {
  'tag-contact-count-unnamed':
    'The state keeps the number of contacts of a tag, but replies omit it because the name of that field is not documented.',
  'tag-names': 'Several tags may have the same name. `name` is case-sensitive; `search` ignores case.',
  'tag-name-and-search': 'With both `name` and `search`, a tag must match both. An empty value counts as missing.',
  'tag-assigned-twice':
    'Assigning a tag that the contact already has changes nothing. The reply is the same as the first time.',
  'tag-not-borne': 'Removing a tag that the contact does not have gets status 404.',
  'tag-deleted': 'Deleting a tag removes it from its contacts.',
} as const;

/** Choices about tags, by id. */
export const tagChoices = {
  'tag-contact-count-unnamed':
    'The number of contacts of a tag is kept with the tag in the state and not replied, since the name of that field is not documented.',
  'tag-names':
    'Several tags may bear the same name. A name is found case included, a part of a name whatever its case.',
  'tag-name-and-search': 'Of `name` and `search`, both have to fit; an empty one counts as not given.',
  'tag-assigned-twice':
    'Assigning a tag that the contact bears already changes nothing and is answered like the first time.',
  'tag-not-borne': 'Taking off a tag that the contact does not bear is answered with 404.',
  'tag-deleted': 'A tag that is deleted is taken off its contacts.',
} as const;

/** Choices about contacts, their details, attributes, notes and messengers, by id. */
export const contactChoices = {
  'contact-details-as-records':
    'A contact in a reply holds its phones, emails, messengers and tags as the records that their own operations answer, its attributes as attribute values, and no number of deals, since the name of that field is not documented.',
  'contact-updated':
    'A contact counts as updated when its fields, phones, emails, messengers, notes, tags or attribute values change.',
  'contact-deleted': 'A contact that is deleted leaves its deals and tags, which stay; its payments stay too.',
  'contact-source-type': 'A contact that is created by a request has no source type and no location.',
  'contact-emails-added': 'The reply to adding emails holds the addresses just added, also none.',
  'contact-main-email':
    'An email is not the main one unless the request says so; a new main one takes the place of an earlier one, and the last of several counts.',
  'contact-main-chatbot':
    'A messenger is not the main chatbot unless the request says so; a new main one takes the place of an earlier one.',
  'no-messenger-types': 'A sandbox that holds no messenger type at all accepts any `typeId`.',
  'contact-legacy-main-email': 'Of the emails in the deprecated form, the first is the main one.',
  'contact-legacy-lengths': 'Phones and emails in the deprecated form have no limits of length or format.',
  'contact-legacy-attribute-name':
    'Attributes are found by name as it is written, case included; of several with one name, the oldest is used.',
  'contact-legacy-attribute-type':
    'An attribute that is created by name is text where no type is sent. One that exists keeps its type, and the value has the form of that.',
  'contact-legacy-attribute-options':
    'A select or multi-select attribute that is created by name takes the values sent with it as its options.',
  'contact-attribute-type': 'A contact attribute that is created without a type is text.',
  'contact-attribute-incomplete':
    'A value without an `attributeId` is answered with 422, since nothing else names the attribute.',
  'contact-attribute-deleted': 'A contact attribute that is deleted takes its values with it.',
  'contact-attribute-value-set-again':
    'Setting an attribute of which the contact has a value already replaces it; updating one that it does not have is answered with 404.',
  'contact-attribute-batch':
    'Of several values in one request, either all are set or none; the last one for an attribute counts.',
  'contact-filter-combination':
    'All fields of a filter and all conditions have to fit, of a list of IDs any one; an empty text or list counts as not given.',
  'contact-filter-text':
    'Names, emails, messenger logins and locations are searched by a part of them, whatever its case.',
  'contact-filter-phone': 'Phones are searched by a part of their digits; signs and blanks do not matter.',
  'contact-filter-dates': 'Days are days in UTC, and the first and last day of a range belong to it.',
  'contact-filter-attributes':
    '`attributes` is read as `{attributeId, value}` or a list of them, which all have to be equal; in any other shape it has no effect.',
  'contact-condition-texts':
    'Conditions compare texts whatever their case, phones by their digits, messengers by login, and `like` finds a part. `gt`, `gte`, `lt` and `lte` compare two numbers as numbers, all else as text.',
  'contact-condition-lists':
    'A field with several values fits when one of them does, with `neq` when none is equal. With a list, any value of it will do for every expression.',
  'contact-condition-attributes':
    'A condition on `attributes` looks at the values of all custom attributes of a contact, empty ones left out; of a multi-select, at each option chosen and at the whole text.',
  'contact-condition-tags': 'A condition on `tags` takes names of tags; `eq`, `neq` and `in` take their IDs too.',
  'contact-condition-incomplete':
    'A condition without a field, without an expression, or without a value for another expression than `empty` is answered with 422.',
  'contact-page-size':
    'A list without `limit` has the documented maximum as its page size; a search by email gives one such page.',
  'contact-sort-default':
    'Contacts are sorted by ID where no field is named, upwards where no direction is; contacts that are equal follow by ID.',
  'contact-sort-texts':
    'First names are sorted by the codes of their letters; contacts without one count as the smallest.',
  'contact-sort-attribute':
    'Sorting by `attributeId` goes by the value of the attribute that `attributeIds` names first, numbers as numbers, and by ID without `attributeIds`; contacts without such a value count as the smallest.',
  'contact-email-whole-search':
    'Without `isEmailFullSearch`, an email has to match in full, whatever its case; with it, a part of one will do.',
  'contact-email-missing': 'A search by email without an email finds no contact.',
  'messenger-type-fields': 'A messenger type in a reply holds only `id`, which is what `typeId` of a messenger takes.',
} as const;

/** Choices about contacts, their details, attributes, notes and messengers, by id. */
export const contactChoices = {
  'contact-details-as-records':
    'A contact in a reply contains its phones, emails, messengers and tags in the form that their own operations return, and its attributes as attribute values. It has no number of deals because the name of that field is not documented.',
  'contact-updated':
    'A change of its fields, phones, emails, messengers, notes, tags or attribute values counts as an update of a contact.',
  'contact-deleted':
    'Deleting a contact removes it from its deals and tags, but does not delete them. Its payments are also kept.',
  'contact-source-type': 'A contact created by a request has no source type and no location.',
  'contact-emails-added': 'The reply to adding emails contains only the addresses just added. The list may be empty.',
  'contact-main-email':
    'An email is the main one only if the request says so. A new main email replaces an earlier one. If a request has several, the last one counts.',
  'contact-main-chatbot':
    'A messenger is the main chatbot only if the request says so. A new main chatbot replaces an earlier one.',
  'no-messenger-types': 'A sandbox without any messenger types accepts any `typeId`.',
  'contact-legacy-main-email': 'In the deprecated form, the first email is the main one.',
  'contact-legacy-lengths': 'In the deprecated form, phones and emails have no limits on length or format.',
  'contact-legacy-attribute-name':
    'Attribute names are case-sensitive. If several attributes have the same name, the oldest one is used.',
  'contact-legacy-attribute-type':
    'An attribute created by name without a type is text. An existing attribute keeps its type, and the value must match that type.',
  'contact-legacy-attribute-options':
    'A select or multi-select attribute created by name gets the values sent with it as its options.',
  'contact-attribute-type': 'A contact attribute created without a type is text.',
  'contact-attribute-incomplete':
    'A value without an `attributeId` gets status 422, because nothing else identifies the attribute.',
  'contact-attribute-deleted': 'Deleting a contact attribute also deletes its values.',
  'contact-attribute-value-set-again':
    'Setting an attribute that already has a value for the contact replaces the value. Updating one without a value gets status 404.',
  'contact-attribute-batch': 'A request sets all of its values or none. The last value for an attribute counts.',
  'contact-filter-combination':
    'A contact must match all fields and all conditions of a filter, and at least one ID of a list of IDs. An empty text or list counts as missing.',
  'contact-filter-text':
    'Names, emails, messenger logins and locations match if they contain the text. Case does not matter.',
  'contact-filter-phone': 'Phones match if their digits contain the digits given. Other characters do not matter.',
  'contact-filter-dates': 'Days are days in UTC. A range includes its first and last day.',
  'contact-filter-attributes':
    '`attributes` is read as `{attributeId, value}` or as a list of these, and all values must be equal. Any other shape has no effect.',
  'contact-condition-texts':
    'Conditions ignore case in texts. They compare phones by their digits and messengers by login. `like` matches part of a text. `gt`, `gte`, `lt` and `lte` compare two numbers as numbers and everything else as text.',
  'contact-condition-lists':
    'A field with several values matches if one value does; with `neq`, it matches if no value is equal. With a list of values in the condition, any one of them is enough for every expression.',
  'contact-condition-attributes':
    'A condition on `attributes` checks the values of all custom attributes of a contact, except empty ones. For a multi-select, it checks each selected option and the whole text.',
  'contact-condition-tags': 'A condition on `tags` takes tag names. `eq`, `neq` and `in` also take tag IDs.',
  'contact-condition-incomplete':
    'A condition gets status 422 if it lacks a field or an expression, or if it lacks a value and its expression is not `empty`.',
  'contact-page-size':
    'Without `limit`, the page size of a list is the documented maximum. A search by email returns one such page.',
  'contact-sort-default':
    'Without a sort field, contacts are sorted by ID. Without a direction, the order is ascending. Contacts that compare equal are sorted by ID.',
  'contact-sort-texts':
    'First names are sorted by character code. Contacts without a first name count as the smallest.',
  'contact-sort-attribute':
    '`attributeId` sorts by the value of the first attribute in `attributeIds`, or by ID without `attributeIds`. Values of number attributes are compared as numbers. Contacts without a value count as the smallest.',
  'contact-email-whole-search':
    'Without `isEmailFullSearch`, the whole email must match, ignoring case. With it, part of an email is enough.',
  'contact-email-missing': 'A search by email without an email returns no contacts.',
  'messenger-type-fields':
    'A messenger type in a reply has only an `id`, which is the value for `typeId` of a messenger.',
} as const;

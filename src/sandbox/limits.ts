/** Maximum number of violations that a reply lists. */
export const maxListed = 20;

/** Maximum number of fields in a body that the spec does not describe. More would delay other requests. */
export const maxUnknown = 10_000;

/** Maximum length of a world's name, in characters. */
export const maxNameLength = 100;

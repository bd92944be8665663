/** Maximum number of violations that a reply lists. */
export const maxListed = 20;

/** Maximum length of a world's name, in characters. */
export const maxNameLength = 100;

import { isObject, listOf } from './shared/nodes.js';

/**
 * Every tag must be in exactly one group of the navigation, and groups must not contain unknown tags.
 *
 * @param {unknown} document
 */
export default function tagGroups(document) {
  if (!isObject(document)) return [];
  const tags = listOf(document.tags).map((tag) => (isObject(tag) ? tag.name : undefined));
  const grouped = listOf(document['x-tagGroups']).flatMap((group, index) =>
    listOf(isObject(group) ? group.tags : undefined).map((name, place) => ({
      name,
      path: ['x-tagGroups', index, 'tags', place],
    })),
  );
  const names = grouped.map(({ name }) => name);
  return [
    ...tags.flatMap((name, index) =>
      names.includes(name) ? [] : [{ message: `the tag ${name} is not in x-tagGroups`, path: ['tags', index] }],
    ),
    ...grouped.flatMap(({ name, path }, index) => {
      if (!tags.includes(name)) return [{ message: `${name} is not a tag of this file`, path }];
      return names.indexOf(name) === index
        ? []
        : [{ message: `the tag ${name} is in two groups, or twice in one`, path }];
    }),
  ];
}

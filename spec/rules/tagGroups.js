import { isObject, listOf } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/**
 * Every tag must belong to an operation and be in exactly one group of the navigation, and groups must not contain unknown tags.
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
  const used = entriesOf(document, 'operation').flatMap(({ node }) => listOf(node.tags));
  const names = grouped.map(({ name }) => name);
  return [
    ...tags.flatMap((name, index) =>
      used.includes(name)
        ? []
        : [{ message: `no operation has the tag ${name}: remove it, also from x-tagGroups`, path: ['tags', index] }],
    ),
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

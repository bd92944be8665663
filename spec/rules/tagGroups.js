import { isObject, listOf } from './shared/nodes.js';

/**
 * Every tag is in exactly one group of the navigation. Otherwise its pages have no link, or two.
 *
 * @param {unknown} document
 */
export default function tagGroups(document) {
  if (!isObject(document)) return [];
  const tags = listOf(document.tags).map((tag) => Object(tag).name);
  const grouped = listOf(document['x-tagGroups']).flatMap((group) => listOf(Object(group).tags));
  return [...new Set([...tags, ...grouped])]
    .filter((name) => !tags.includes(name) || grouped.filter((each) => each === name).length !== 1)
    .map((name) => ({
      message: `${name} is no tag of this file, or not in exactly one group: correct \`tags\` or \`x-tagGroups\``,
      path: ['x-tagGroups'],
    }));
}

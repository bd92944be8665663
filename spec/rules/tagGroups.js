import { isObject, listOf } from './shared/nodes.js';

/**
 * Every tag is in exactly one group of the navigation. Otherwise its pages have no link, or two.
 *
 * @param {unknown} spec
 */
export default function tagGroups(spec) {
  if (!isObject(spec)) return [];
  const tags = listOf(spec.tags).map((tag) => Object(tag).name);
  const grouped = listOf(spec['x-tagGroups']).flatMap((group) => listOf(Object(group).tags));
  return [...new Set([...tags, ...grouped])]
    .filter((name) => !tags.includes(name) || grouped.filter((each) => each === name).length !== 1)
    .map((name) => ({
      message: `${name} is not a tag of this file, or not in exactly one group: correct \`tags\` or \`x-tagGroups\``,
      path: ['x-tagGroups'],
    }));
}

import type { Shape } from '../../shared/observed/observed.ts';
import { countOf, type Findings, isEnough } from './findings.ts';
import { learntProducts } from './products.ts';

/**
 * Writes the new fields of records as TypeScript declarations, such as `interface DealFields` of `carillon/crm`. All are optional, because
 * other records may lack them.
 */
export function writeOwnFields({ newFields }: Findings): string {
  const modules = learntProducts.flatMap(({ name: product, replies }) => {
    const known = newFields.filter((field) => field.product === product && isEnough(field.shape));
    const records = Object.entries(replies.schemas).flatMap(([record, schema]) => {
      // Only open records have such an interface.
      if (schema.type !== 'object' || schema.additionalProperties !== true || !schema.properties) return [];
      const fields = known.filter(({ at }) => at === `#/components/schemas/${record}`);
      if (fields.length === 0) return [];
      const lines = fields.map(({ name, shape }) => `    ${propertyName(name)}?: ${typeText(shape)};\n`).sort();
      return [`  interface ${record}Fields {\n${lines.join('')}  }\n`];
    });
    return records.length > 0 ? [`declare module 'carillon/${product}' {\n${records.join('')}}\n`] : [];
  });
  const text =
    modules.length > 0
      ? `// Fields of your account that carillon learn saw in replies. Keep the ones that you use.\n${modules.join('\n')}`
      : '// No record had a new field in three replies with two records each. The report lists new fields inside other fields.\n';
  return `${text}\nexport {};\n`;
}

function typeText({ types, items, fields = {} }: Shape, level = 0): string {
  const parts = new Set<string>();
  for (const type of Object.keys(types).sort()) {
    if (type === 'integer') parts.add('number');
    else if (type === 'array')
      parts.add(items && level < 3 && countOf(items) > 0 ? `(${typeText(items, level + 1)})[]` : 'unknown[]');
    else if (type === 'object') {
      const inner = Object.entries(fields).flatMap(([name, shape]) =>
        isEnough(shape) ? `${propertyName(name)}?: ${typeText(shape, level + 1)}` : [],
      );
      parts.add(level < 3 && inner.length > 0 ? `{ ${inner.sort().join('; ')} }` : 'Record<string, unknown>');
    } else parts.add(type);
  }
  // Null alone does not show the type.
  if (parts.size === 1 && parts.has('null')) return 'unknown';
  return [...parts].sort().join(' | ') || 'unknown';
}

function propertyName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
}

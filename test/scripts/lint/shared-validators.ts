import { createRequire } from 'node:module';

type Compile = (schema: object, dialect: string, allErrors: boolean) => unknown;

/**
 * Makes Spectral compile equal schemas once for all documents. Compiling the schemas of examples takes most of a run, and
 * the test documents share almost all of them.
 */
export function shareValidators(): void {
  const path = createRequire(import.meta.url).resolve('@stoplight/spectral-functions');
  const module: { createAjvInstances: () => Compile } = createRequire(path)('./schema/ajv.js');
  const compile = module.createAjvInstances();
  const first = new Map<string, object>();
  module.createAjvInstances = () => (schema, dialect, allErrors) => {
    const text = JSON.stringify(schema);
    const equal = first.get(text) ?? schema;
    first.set(text, equal);
    return compile(equal, dialect, allErrors);
  };
}

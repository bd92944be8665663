import { createRequire } from 'node:module';

type Compile = (schema: object, dialect: string, allErrors: boolean) => unknown;

/**
 * Lets Spectral compile equal schemas once for all documents, not once for each. Most of a run is spent on compiling the
 * schemas of examples, and the documents of the lint's tests have almost all of them in common.
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

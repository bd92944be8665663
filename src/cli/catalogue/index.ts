/**
 * The catalogue of the client's methods. The commands `carillon` and `carillon-mcp` use the catalogue to find methods, describe
 * parameters, call methods by name, and connect. The client does not load the catalogue.
 */

export type { Effect, JsonSchema } from '../../shared/reference.ts';
export { callMethod, listMethod } from './call-method.ts';
export { checkParams, type Params } from './check-names.ts';
export { type Connection, type ConnectOptions, connect } from './connect.ts';
export { type Field, fieldsOf, parametersSchema, takesOtherFields } from './fields.ts';
export { lookupMethod } from './lookup-method.ts';
export { documentedCode, findMethod, type Method, methods, products, rulesOf } from './methods.ts';
export { search } from './search.ts';

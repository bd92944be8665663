/**
 * The catalogue of the client's methods. The commands `carillon` and `carillon-mcp` use it to find a method, describe its
 * parameters, call it by name, and connect. The client does not load it.
 */

export { closest } from '../../shared/closest.ts';
export {
  type Credentials,
  CredentialsError,
  credentialsFile,
  readCredentials,
  variables,
  writeCredentials,
} from '../../shared/credentials.ts';
export type { Effect, Json, JsonSchema } from '../../shared/reference.ts';
export { callMethod, listMethod } from './call.ts';
export { checkParams, type Params } from './check-params.ts';
export { type Connection, type ConnectOptions, connect } from './connect.ts';
export { type Field, fieldsOf, follow, parametersSchema, takesOtherFields } from './fields.ts';
export { lookWith } from './look.ts';
export { documentedCode, findMethod, type Method, methods, type Product, products, rulesOf } from './methods.ts';
export { search } from './search.ts';

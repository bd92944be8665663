import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/server';
import { fromJSONSchema } from 'zod';

/**
 * Checks answers of people against the form that they were asked with. The validators that the protocol's package contains would
 * add a second schema library to zod.
 */
export class SchemaValidator implements jsonSchemaValidator {
  getValidator<Value>(schema: JsonSchemaType): JsonSchemaValidator<Value> {
    const form = fromJSONSchema(JSON.parse(JSON.stringify(schema)));
    return (input) => {
      const { success, error } = form.safeParse(input);
      return success
        ? { valid: true, data: input as Value, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: error.message };
    };
  }
}

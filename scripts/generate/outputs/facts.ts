import type { SpecName } from '../../spec/files.ts';
import { lookUp, type Spec } from '../../spec/model.ts';
import type { JsonValue } from '../../spec/schema.ts';

/**
 * Facts of the specs that code needs: name → JSON pointer. A pointer may pass through references. Generation fails if a
 * pointer has no target.
 */
const pointers: Partial<Record<SpecName, Record<string, string>>> = {
  crm: {
    /** Lifetime of an access token in seconds. */
    tokenLifetime: '#/components/schemas/AccessToken/properties/expires_in/examples/0',
  },
  messaging: {
    maxVariableLength: '#/components/schemas/CampaignCreate/properties/variables/additionalProperties/maxLength',
    defaultPushStretch: '#/components/schemas/PushCampaignCreate/properties/stretch_time/default',
    campaignErrorCode: '#/components/schemas/CampaignError/properties/error_code/const',
  },
  email: {
    domainServiceType: '#/components/schemas/SendingDomain/properties/service_type/const',
  },
};

/** @throws Error with the fact and its pointer if the spec does not contain it */
export function readFacts({ name, openapi }: Spec): Record<string, JsonValue> {
  const entries = Object.entries(pointers[name] ?? {}).map(([fact, pointer]): [string, JsonValue] => {
    try {
      return [fact, lookUp<JsonValue>(openapi, pointer)];
    } catch (cause) {
      throw new Error(`spec/${name}.yaml does not state '${fact}' (${pointer}), which code needs`, { cause });
    }
  });
  return Object.fromEntries(entries);
}

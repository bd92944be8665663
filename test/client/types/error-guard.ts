/** Types to which `isCarillonError` narrows. Only type-checked, never run. */
import { expectTypeOf } from 'vitest';
import {
  type ApiError,
  type CarillonError,
  type CarillonErrors,
  type ErrorName,
  isCarillonError,
  type RateLimitError,
  type ServerError,
} from '../../../src/client/index.ts';

export function withoutName(error: unknown): void {
  if (isCarillonError(error)) expectTypeOf(error).toEqualTypeOf<CarillonError>();
  else expectTypeOf(error).toBeUnknown();
}

export function withName(error: unknown): void {
  if (isCarillonError(error, 'RateLimitError')) expectTypeOf(error).toEqualTypeOf<RateLimitError>();
  else if (isCarillonError(error, 'ApiError')) expectTypeOf(error).toEqualTypeOf<ApiError>();
}

export function withOneOfTwoNames(error: unknown, name: 'RateLimitError' | 'ServerError'): void {
  if (isCarillonError(error, name)) expectTypeOf(error).toEqualTypeOf<RateLimitError | ServerError>();
}

export function misspelt(error: unknown): void {
  // @ts-expect-error: no error has this name
  isCarillonError(error, 'RatelimitError');
}

export function everyName(): void {
  expectTypeOf<keyof CarillonErrors>().toEqualTypeOf<ErrorName>();
}

/** The assertions of the standard library, with their types: the package `deno-std` declares none. */
import * as untyped from "deno-std/assert/mod.js";

type ErrorClass<E extends Error> = abstract new (...args: never[]) => E;

/** Fails unless the value is truthy. */
export const assert: (value: unknown, message?: string) => asserts value = untyped.assert;

/** Fails unless two values are deeply equal. */
export const assertEquals: <T>(actual: T, expected: T, message?: string) => void = untyped.assertEquals;

/** Fails if two values are deeply equal. */
export const assertNotEquals: <T>(actual: T, expected: T, message?: string) => void = untyped.assertNotEquals;

/** Fails unless two values are the same. */
export const assertStrictEquals: <T>(actual: unknown, expected: T, message?: string) => asserts actual is T =
  untyped.assertStrictEquals;

/** Fails unless two numbers are as near as the tolerance says. */
export const assertAlmostEquals: (actual: number, expected: number, tolerance?: number, message?: string) => void =
  untyped.assertAlmostEquals;

/** Fails unless the value is of the class. */
export const assertInstanceOf: <T>(
  actual: unknown,
  expected: abstract new (...args: never[]) => T,
  message?: string,
) => asserts actual is T = untyped.assertInstanceOf;

/** Fails unless the text matches. */
export const assertMatch: (actual: string, expected: RegExp, message?: string) => void = untyped.assertMatch;

/** Fails if the text matches. */
export const assertNotMatch: (actual: string, expected: RegExp, message?: string) => void = untyped.assertNotMatch;

/** Fails unless the text contains the other. */
export const assertStringIncludes: (actual: string, expected: string, message?: string) => void =
  untyped.assertStringIncludes;

/** Fails unless the object has at least the given properties. */
export const assertObjectMatch: (
  actual: Record<PropertyKey, unknown>,
  expected: Record<PropertyKey, unknown>,
  message?: string,
) => void = untyped.assertObjectMatch;

/** Fails unless the promise is rejected, with an error of the class whose message contains the text. */
export const assertRejects: {
  (call: () => PromiseLike<unknown>, message?: string): Promise<unknown>;
  <E extends Error>(
    call: () => PromiseLike<unknown>,
    errorClass: ErrorClass<E>,
    includes?: string,
    message?: string,
  ): Promise<E>;
} = untyped.assertRejects;

/** Fails unless the function throws an error of the class whose message contains the text. */
export const assertThrows: {
  (call: () => unknown, message?: string): unknown;
  <E extends Error>(call: () => unknown, errorClass: ErrorClass<E>, includes?: string, message?: string): E;
} = untyped.assertThrows;

/** Fails. */
export const fail: (message?: string) => never = untyped.fail;

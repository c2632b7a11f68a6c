// Only while features move to one file an operation.
import type { ZodMiniType } from "zod/mini";
import type { RequestContext } from "./context.ts";
import type { InputSchema, Operation } from "./operation.ts";

export type LazyOperation<Input, Result> = Omit<Operation<Input, Result>, "input" | "output" | "verb"> & {
  input: () => Promise<InputSchema<Input>>;
  output: () => Promise<ZodMiniType>;
  verb: () => Promise<(ctx: RequestContext, input: Input) => Promise<Result>>;
};

export function defineOperation<Input, Result>(operation: LazyOperation<Input, Result>) {
  return operation;
}

export async function loadLazy<Input, Result>(
  { input, output, verb, ...rest }: LazyOperation<Input, Result>,
): Promise<{ operation: Operation<Input, Result> }> {
  return { operation: { ...rest, input: await input(), output: await output(), verb: await verb() } };
}

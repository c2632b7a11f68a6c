// Only while features move to one file an operation.
import { type LazyOperation, loadLazy } from "../core/lazy_operation.ts";
import type { Address, Endpoint, ReadFields, Reply } from "./endpoint.ts";

type Route<Input, Result> =
  & { operation: LazyOperation<Input, Result> }
  & Pick<
    Endpoint<Input, Result>,
    "method" | "path" | "pathWithoutParameter" | "headers" | "body" | "query" | "isBodyOptional" | "maxBytes"
  >
  & { readFields?: () => Promise<ReadFields>; reply?: () => Promise<Reply<Result>> };

export function defineRoute<Input, Result>(route: Route<Input, Result>): Address {
  const { operation, readFields, reply, ...address } = route;
  return {
    ...address,
    load: async () => ({
      operation: {
        ...(await loadLazy(operation)).operation,
        ...address,
        readFields: await readFields?.(),
        reply: await reply?.(),
      },
    }),
  };
}

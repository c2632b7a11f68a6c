import { fieldsOf } from "../../../shared/libs/base/fields_of.ts";
import { listFunctions } from "../../platform/list_functions.ts";

/** The functions of a project, as they answer. */
export type AnsweringFunctions = {
  /** How many there should be. */
  count: number;
  /** Those that do not answer. */
  silent: string[];
  /** The version that is deployed; null if it is not told. */
  version: string | null;
};

/** Asks each function of a project for what it does for anybody, and for the version. Never rejects. */
export async function askFunctions(url: string, patience: number): Promise<AnsweringFunctions> {
  const names = listFunctions();
  const ask = (path: string, method: string) =>
    fetch(`${url}/functions/v1/${path}`, { method, redirect: "error", signal: AbortSignal.timeout(patience) });
  const [version, ...answers] = await Promise.all([
    ask("docs/openapi.json", "GET").then((reply) => reply.json()).then(
      ({ info }) => String(fieldsOf(info).version),
      () => null,
    ),
    ...names.map((name) =>
      ask(name, "OPTIONS").then(async ({ status, body }) => {
        await body?.cancel();
        return status === 204;
      }).catch(() => false)
    ),
  ]);
  return { count: names.length, silent: names.filter((_, index) => !answers[index]), version };
}

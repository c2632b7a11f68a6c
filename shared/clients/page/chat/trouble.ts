import { ServiceError } from "../../client/service_error.ts";
import { fill, type Texts } from "./texts.ts";

/** Why something does not go on, as far as it matters to whoever looks at the page. */
export type Trouble =
  /** There is no network, or no service. It is tried again by itself. */
  | { kind: "offline" | "unreachable" }
  /** Too much at once. */
  | { kind: "limited"; until: number }
  /** Nobody is signed in any more. */
  | { kind: "signedOut" }
  | { kind: "coachNotFound" | "threadNotFound" }
  /** The page itself is set up wrongly. */
  | { kind: "originNotAllowed" | "keyNotAllowed" }
  /** Anything else, in the service's own words where it has some for users. */
  | { kind: "trouble"; message?: string };

const byCode: Record<
  string,
  Trouble["kind"] & ("coachNotFound" | "threadNotFound" | "originNotAllowed" | "signedOut" | "keyNotAllowed")
> = {
  coach_not_found: "coachNotFound",
  thread_not_found: "threadNotFound",
  origin_not_allowed: "originNotAllowed",
  sign_in_first: "signedOut",
  invalid_access_token: "signedOut",
  invalid_api_key: "keyNotAllowed",
  missing_api_key: "keyNotAllowed",
  misplaced_api_key: "keyNotAllowed",
  missing_scope: "keyNotAllowed",
};

/** What an error means for the page. */
export function readTrouble(error: unknown): Trouble {
  if (!(error instanceof ServiceError)) {
    if (!navigator.onLine) return { kind: "offline" };
    // What `fetch` throws, and what reading a reply throws when its connection breaks.
    if (error instanceof TypeError) return { kind: "unreachable" };
    const message = error instanceof Error ? error.message : String(error);
    return /session ended/i.test(message) ? { kind: "signedOut" } : { kind: "trouble", message };
  }
  const { status, code, body } = error;
  if (status === 429) return { kind: "limited", until: Date.now() + 1_000 * (Number(body.retryAfter) || 30) };
  const kind = byCode[code ?? ""];
  if (kind) return { kind };
  // Auth has no codes of ours: it does not renew a session that has ended, or does not let visitors in.
  if (code === null && [400, 401, 403, 422].includes(status)) return { kind: "signedOut" };
  if (status >= 500) return status === 503 ? { kind: "unreachable" } : { kind: "trouble" };
  return { kind: "trouble", message: error.message };
}

/** Whether the same is worth trying again without anybody's doing. */
export function passes(trouble: Trouble | null): boolean {
  return trouble?.kind === "offline" || trouble?.kind === "unreachable" || trouble?.kind === "limited";
}

/** Why something does not go on, as a sentence. */
export function describeTrouble(trouble: Trouble, texts: Texts, secondsLeft: number): string {
  switch (trouble.kind) {
    case "limited":
      return secondsLeft > 0 ? fill(texts.limited, { seconds: secondsLeft }) : texts.limitedOver;
    case "trouble":
      return trouble.message ?? texts.trouble;
    default:
      return texts[trouble.kind];
  }
}

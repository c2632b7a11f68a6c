import { ServiceError } from "../../client/service_error.ts";
import type { Countdown } from "../ui/countdown.ts";
import { formatMoment } from "./budget_watch.ts";
import { fill, fillPlural } from "../ui/fill.ts";
import type { Texts } from "./texts.ts";

/** A failure, as the page shows it. */
export type Trouble =
  /** There is no network, or no service. The page retries automatically. */
  | { kind: "offline" | "unreachable" }
  /** There were too many requests. */
  | { kind: "limited"; until: number }
  /** A budget is used up. It is renewed at a time; null: never. */
  | { kind: "usedUp"; until: number | null }
  /** Nobody is signed in. `isErased`: a visitor who was has had everything deleted. */
  | { kind: "signedOut"; isErased?: boolean }
  | { kind: "coachNotFound" | "coachPaused" | "threadNotFound" }
  /** The page is not set up correctly. */
  | { kind: "originNotAllowed" | "keyNotAllowed" }
  /** Any other failure, with its code and the message of the service if they are meant for users. */
  | { kind: "trouble"; message?: string; code?: string | null };

const byCode: Record<
  string,
  & Trouble["kind"]
  & ("coachNotFound" | "coachPaused" | "threadNotFound" | "originNotAllowed" | "signedOut" | "keyNotAllowed")
> = {
  coach_not_found: "coachNotFound",
  coach_paused: "coachPaused",
  thread_not_found: "threadNotFound",
  origin_not_allowed: "originNotAllowed",
  sign_in_first: "signedOut",
  invalid_access_token: "signedOut",
  invalid_api_key: "keyNotAllowed",
  missing_api_key: "keyNotAllowed",
  misplaced_api_key: "keyNotAllowed",
  missing_scope: "keyNotAllowed",
};

/** Turns an error into the trouble that the page shows. */
export function readTrouble(error: unknown): Trouble {
  if (!(error instanceof ServiceError)) {
    if (!navigator.onLine) return { kind: "offline" };
    // `fetch` throws it, and so does reading a reply whose connection breaks.
    if (error instanceof TypeError) return { kind: "unreachable" };
    const message = error instanceof Error ? error.message : String(error);
    return /session ended/i.test(message) ? { kind: "signedOut" } : { kind: "trouble", message };
  }
  const { status, code, body } = error;
  if (code === "budget_exhausted") {
    const { retryAfter } = body;
    return { kind: "usedUp", until: retryAfter === undefined ? null : Date.now() + 1_000 * retryAfter };
  }
  // That limit lasts for a day.
  if (status === 429 && code !== "too_many_mails") {
    return { kind: "limited", until: Date.now() + 1_000 * (Number(body.retryAfter) || 30) };
  }
  // The gateway of a project refuses its own key with 401, too, in these words.
  const kind = code === null && /api.?key/i.test(error.message) ? "keyNotAllowed" : byCode[code ?? ""];
  if (kind === "originNotAllowed") console.warn(`Add ${location.origin} to the origins of the page's key.`);
  if (kind === "keyNotAllowed") console.warn("Check the attributes key and supabase-key.", error.message);
  if (kind) return { kind };
  // Errors of Auth have no code of ours: it does not renew an expired session, or does not admit visitors.
  if (code === null && [400, 401, 403, 422].includes(status)) return { kind: "signedOut" };
  if (status >= 500) return status === 503 ? { kind: "unreachable" } : { kind: "trouble" };
  return { kind: "trouble", message: error.message, code };
}

/** Returns true if the page should retry automatically. */
export function passes(trouble: Trouble | null): boolean {
  return trouble?.kind === "offline" || trouble?.kind === "unreachable" || trouble?.kind === "limited";
}

/** Describes a trouble in a sentence. */
export function describeTrouble(trouble: Trouble, texts: Texts, secondsTo: Countdown): string {
  switch (trouble.kind) {
    case "limited": {
      const seconds = secondsTo(trouble.until);
      const { locale } = texts;
      return seconds > 0 ? fillPlural(texts.limited, { count: seconds, seconds, locale }) : texts.limitedOver;
    }
    case "usedUp":
      return trouble.until === null
        ? texts.usedUp
        : fill(texts.usedUpUntil, { time: formatMoment(trouble.until, texts.locale) });
    case "trouble":
      return texts.errors[trouble.code ?? ""] ?? trouble.message ?? texts.trouble;
    default:
      return texts[trouble.kind];
  }
}

const firstPause = 2_000;
const longestPause = 30_000;

/** Retries automatically, after growing pauses. */
export class Recovery {
  #tryAgain: () => void;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #trouble: Trouble | null = null;

  constructor(tryAgain: () => void) {
    this.#tryAgain = tryAgain;
  }

  /** Sets the current trouble; null for none. */
  after(trouble: Trouble | null): void {
    if (trouble === null) this.#failures = 0;
    if (trouble === this.#trouble) return;
    this.stop();
    this.#trouble = trouble;
    if (trouble === null || !passes(trouble)) return;
    const pause = trouble.kind === "limited"
      ? trouble.until - Date.now()
      : Math.min(firstPause * 2 ** this.#failures++, longestPause);
    this.#timer = setTimeout(this.#tryAgain, pause);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

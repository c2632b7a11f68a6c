import {
  createSessionKeeper,
  readSession,
  type Session,
  type SessionKeeper,
  type SessionTokens,
} from "../../client/session.ts";
import { keep, type Kept, type SessionRole as RoleElsewhere } from "../connection.ts";
import { readClaims } from "../ui/mailed_link.ts";
import type { Auth } from "./auth.ts";

/** The page that a session was begun at. */
type SessionRole = RoleElsewhere | "consent";

/** Somebody who is signed in at one of the pages of this browser. */
export type Account = { role: SessionRole; userId: string; email: string; accessToken: () => Promise<string> };

/** The pages whose sessions count. This page keeps its own, so that signing in here ends no visit to the chat. */
const roles: SessionRole[] = ["consent", "visitor", "expert"];

/** The accounts of a browser, and the one of them that its user has chosen for apps. */
export class Accounts {
  readonly #auth: Auth;
  readonly #where: { address: string; publishableKey: string };
  readonly #keepers = new Map<SessionRole, SessionKeeper>();
  readonly #chosen;

  /** @param where the addresses that the sessions of the other pages are stored under */
  constructor(auth: Auth, where: { address: string; publishableKey: string }) {
    this.#auth = auth;
    this.#where = where;
    this.#chosen = keep<{ role: SessionRole; userId: string }>(`human-consent ${where.address}`, "browser");
  }

  /** All accounts, each once. Visitors without an account are none. */
  list(): Account[] {
    const known = new Set<string>();
    return roles.flatMap((role) => {
      const session = this.#store(role).load();
      if (session === null) return [];
      const { email = "", is_anonymous, sub } = readClaims(session.accessToken);
      const userId = session.userId || sub || "";
      if (is_anonymous || known.has(userId)) return [];
      known.add(userId);
      return [{ role, userId, email, accessToken: () => this.#readToken(role) }];
    });
  }

  /** The account that was chosen here before and is still signed in; null if there is none. */
  get chosen(): Account | null {
    const chosen = this.#chosen.load();
    return this.list().find(({ role, userId }) => role === chosen?.role && userId === chosen.userId) ?? null;
  }

  choose({ role, userId }: Pick<Account, "role" | "userId">): void {
    this.#chosen.save({ role, userId });
  }

  /** Has the user choose again. Who signed in here is signed out; the sessions of the other pages go on. */
  leave(): void {
    this.#chosen.save(null);
    this.#keeper("consent").set(null);
  }

  /** Keeps a new session, and chooses its account. */
  begin(tokens: SessionTokens): void {
    const userId = readClaims(tokens.access_token).sub ?? "";
    this.#keeper("consent").set(readSession(tokens, userId, Date.now()));
    this.choose({ role: "consent", userId });
  }

  /** @throws {SessionEnded} if the user has to sign in again. */
  async #readToken(role: SessionRole): Promise<string> {
    const token = await this.#keeper(role).accessToken();
    if (token === null) throw new SessionEnded();
    return token;
  }

  /** The session of a page, where `connect` keeps it. */
  #store(role: SessionRole): Kept<Session> {
    const { address, publishableKey } = this.#where;
    return keep(`human-chat ${role} ${address} ${publishableKey}`, "browser");
  }

  #keeper(role: SessionRole): SessionKeeper {
    const known = this.#keepers.get(role);
    if (known) return known;
    const { load, save } = this.#store(role);
    const refresh = (token: string) => this.#auth.refresh(token);
    const keeper = createSessionKeeper(refresh, { initial: load(), load, now: Date.now, onChange: save });
    this.#keepers.set(role, keeper);
    return keeper;
  }
}

/** The session has ended: its user has to sign in again. */
export class SessionEnded extends Error {}

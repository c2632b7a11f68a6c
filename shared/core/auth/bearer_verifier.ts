// Apart from verify_bearer.ts: a deployment uploads the packages of whatever names these types, and jose is large.

/** An issuer of tokens for the users of an account, besides the project's own Auth. */
export type TokenIssuer = {
  /** The prefix of its users' ids, before a colon. */
  name: string;
  /** `iss` of its tokens. */
  issuer: string;
  /** The address of its public keys. */
  jwksUrl: string;
  /** The audience that its tokens must name. */
  audience: string;
};

/** The user whom a token signs in. */
export type SignedInUser = {
  id: string;
  /** True for a visitor whom the project's Auth knows by nothing but this session's tokens. */
  isAnonymous: boolean;
  /** The name and address of the user, as far as the token says them. */
  name: string | null;
  email: string | null;
};

/** A valid token. */
export type VerifiedToken = {
  user: SignedInUser;
  /**
   * True if the project's Auth has issued the token to an app that the user has allowed in, by OAuth. Such a token names
   * the app as `client_id`.
   */
  isOfApp: boolean;
};

/**
 * Verifies a bearer token; null when the token is only the project's publishable key.
 *
 * @param findIssuers the issuers of the account that is called; only asked for where the project has not issued the token
 * @throws 401 when it is not a valid, unexpired token that the project or such an issuer has issued to a user; 503 when the
 * issuers, their keys, or the name under which the project issues tokens cannot be fetched.
 */
export type VerifyBearer = (token: string, findIssuers: () => Promise<TokenIssuer[]>) => Promise<VerifiedToken | null>;

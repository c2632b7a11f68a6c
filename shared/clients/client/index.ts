/** The exports of the npm package; `npm run package` builds it. */
export { type Client, type ClientKey, type ClientOptions, createClient, type SignInOptions } from "./client.ts";
export type { CallOptions, RepeatableCallOptions } from "./call_operation.ts";
export type { Answer, Ending, TrialEvent } from "./answer.ts";
export type { BackOffOptions, Send } from "./back_off.ts";
export { type ErrorBody, ServiceError } from "./service_error.ts";
export type { Session, SessionTokens } from "./session.ts";
export type { WatchedEvent } from "./watch.ts";
export type { components, operations, paths } from "./api_types.ts";

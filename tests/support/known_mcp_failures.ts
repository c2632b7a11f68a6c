import type { Revision } from "./mcp.ts";

/** The checks of a scenario that fail: their ids, or all of them where the scenario needs what the server does not offer. */
export type KnownFailure = { scenario: string; checks: string[]; reason: string };

const reasons = {
  example: "The scenario calls a tool of the suite's own example server.",
  completions: "The server declares no completions: no argument of its tools has a list of values to complete.",
  logging: "The server declares no logging: its log is for operators, and holds nothing of other people.",
  prompts: "The server declares no prompts.",
  resources: "The server declares no resources: files of a persona are read with tools.",
  statelessness: "The server is stateless, and has no sessions that a stream could be resumed in.",
  rebinding:
    "Every request needs a key, which the page of another site does not have, and any host name is the project's own " +
    "to choose. The local stack refuses other host names (local_address.ts).",
  subscriptions: "The server refuses subscriptions: it announces no changes.",
  customHeaders: "No argument of a tool is annotated with x-mcp-header.",
  inputRequests: "No tool asks the client for input.",
} satisfies Record<string, string>;

function of(scenario: string, reason: keyof typeof reasons, checks: string[] = [scenario]): KnownFailure {
  return { scenario, checks, reason: reasons[reason] };
}

const ofBoth: KnownFailure[] = [
  of("completion-complete", "completions"),
  of("dns-rebinding-protection", "rebinding", ["localhost-host-rebinding-rejected"]),
  of("json-schema-2020-12", "example", ["json-schema-2020-12-tool-found"]),
  of("prompts-get-embedded-resource", "prompts"),
  of("prompts-get-simple", "prompts"),
  of("prompts-get-with-args", "prompts"),
  of("prompts-get-with-image", "prompts"),
  of("prompts-list", "prompts"),
  of("resources-list", "resources"),
  of("resources-read-binary", "resources"),
  of("resources-read-text", "resources"),
  of("resources-templates-read", "resources"),
  of("tools-call-audio", "example"),
  of("tools-call-embedded-resource", "example"),
  of("tools-call-error", "example"),
  of("tools-call-image", "example"),
  of("tools-call-mixed-content", "example"),
  of("tools-call-simple-text", "example"),
  of("tools-call-with-progress", "example"),
];

/**
 * Every check of the conformance suite that the server fails, with the reason. A check that fails and is not here, and one
 * that is here and passes, fail the test.
 */
export const knownMcpFailures: Record<Revision, KnownFailure[]> = {
  "2025-11-25": [
    ...ofBoth,
    of("elicitation-sep1034-defaults", "example", ["elicitation-sep1034-general"]),
    of("elicitation-sep1330-enums", "example", ["elicitation-sep1330-general"]),
    of("logging-set-level", "logging"),
    of("resources-subscribe", "resources"),
    of("resources-unsubscribe", "resources"),
    of("server-sse-multiple-streams", "statelessness", ["server-sse-multiple-streams-session"]),
    of("server-sse-polling", "statelessness", [
      "server-sse-polling-session",
      "server-sse-priming-event",
      "server-sse-retry-field",
    ]),
    of("tools-call-elicitation", "example"),
    of("tools-call-sampling", "example"),
    of("tools-call-with-logging", "logging"),
  ],
  "2026-07-28": [
    ...ofBoth,
    of("caching", "prompts", ["sep-2549-prompts-list-caching-hints"]),
    of("caching", "resources", [
      "sep-2549-resources-list-caching-hints",
      "sep-2549-resources-templates-list-caching-hints",
    ]),
    of("http-custom-header-server-validation", "customHeaders", [
      "sep-2243-server-decode-base64",
      "sep-2243-server-no-xmcp-tool",
      "sep-2243-server-reject-invalid-param-chars",
      "sep-2243-server-reject-param-mismatch",
      "sep-2243-server-validate-param-match",
    ]),
    of("input-required-result-basic-elicitation", "inputRequests", ["sep-2322-elicitation-incomplete"]),
    of("input-required-result-basic-list-roots", "inputRequests", ["sep-2322-list-roots-incomplete"]),
    of("input-required-result-basic-sampling", "inputRequests", ["sep-2322-sampling-incomplete"]),
    of("input-required-result-capability-check", "inputRequests", ["sep-2322-respect-client-capabilities"]),
    of("input-required-result-ignore-extra-params", "example", ["sep-2322-ignore-unexpected-params"]),
    of("input-required-result-missing-input-response", "inputRequests", ["sep-2322-missing-response-rerequests"]),
    of("input-required-result-multi-round", "inputRequests", ["sep-2322-multi-round-r1"]),
    of("input-required-result-multiple-input-requests", "inputRequests", ["sep-2322-multiple-inputs-incomplete"]),
    of("input-required-result-non-tool-request", "inputRequests", ["sep-2322-non-tool-incomplete"]),
    of("input-required-result-request-state", "inputRequests", ["sep-2322-request-state-incomplete"]),
    of("input-required-result-result-type", "inputRequests", ["sep-2322-result-type-included"]),
    of("input-required-result-tampered-state", "inputRequests", ["sep-2322-reject-tampered-state"]),
    of("sep-2164-resource-not-found", "resources", ["sep-2164-data-uri", "sep-2164-error-code"]),
    of("server-stateless", "example", [
      "sep-2575-http-server-no-independent-requests-on-stream",
      "sep-2575-missing-capability-http-400",
      "sep-2575-server-no-log-without-loglevel",
      "sep-2575-server-rejects-undeclared-capability",
    ]),
    of("server-stateless", "subscriptions", [
      "sep-2575-server-sends-subscription-ack",
      "sep-2575-server-tags-subscription-id",
    ]),
  ],
};

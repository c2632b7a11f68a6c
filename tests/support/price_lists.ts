/** A made-up list in the format of models.dev: USD per million tokens, by provider. */
export const modelsDevList = {
  aviary: {
    id: "aviary",
    name: "Aviary",
    models: {
      "owl-1": { id: "owl-1", cost: { input: 2.5, output: 10, cache_read: 0.25, cache_write: 3, reasoning: 12 } },
      "owl-long": {
        id: "owl-long",
        cost: {
          input: 1.25,
          output: 10,
          cache_read: 0.125,
          context_over_200k: { input: 2.5, output: 15, cache_read: 0.25 },
        },
      },
      "owl-tiers": {
        id: "owl-tiers",
        cost: { input: 1, output: 2, tiers: [{ input: 3, output: 6, tier: { type: "context", size: 200_000 } }] },
      },
      "owl-embedder": { id: "owl-embedder", cost: { input: 0.02, output: 0 } },
      "owl-gift": { id: "owl-gift", cost: { input: 0, output: 0 } },
      "owl-debt": { id: "owl-debt", cost: { input: -1, output: 4 } },
      "owl-debt-when-long": {
        id: "owl-debt-when-long",
        cost: { input: 1, output: 4, context_over_200k: { output: -4 } },
      },
      "owl-gold": { id: "owl-gold", cost: { input: 1, output: 2_500_000 } },
      "owl-words": { id: "owl-words", cost: { input: "1", output: 4 } },
      "owl-silent": { id: "owl-silent" },
      "*": { id: "*", cost: { input: 1, output: 4 } },
    },
  },
  meadow: { id: "meadow", models: { "lark-1": { id: "lark-1", cost: { input: 7, output: 70 } } } },
};

/** A made-up list in the format of LiteLLM: USD per token, by model. */
export const litellmList = {
  sample_spec: { litellm_provider: "aviary", input_cost_per_token: 0.0000001, output_cost_per_token: 0.0000002 },
  "aviary/owl-1": {
    litellm_provider: "aviary",
    mode: "chat",
    max_input_tokens: 1_000_000,
    input_cost_per_token: 3e-7,
    input_cost_per_token_batches: 1e-3,
    cache_read_input_token_cost: 3e-8,
    output_cost_per_token: 0.0000025,
    output_cost_per_reasoning_token: 0.0000035,
  },
  "owl-long": {
    litellm_provider: "aviary",
    input_cost_per_token: 0.00000125,
    input_cost_per_token_above_200k_tokens: 0.0000025,
    cache_read_input_token_cost: 1.25e-7,
    cache_read_input_token_cost_above_200k_tokens: 2.5e-7,
    output_cost_per_token: 0.00001,
    output_cost_per_token_above_200k_tokens: 0.000015,
  },
  "owl-debt": { litellm_provider: "aviary", input_cost_per_token: -1, output_cost_per_token: 0.00001 },
  "owl-gift": { litellm_provider: "aviary", input_cost_per_token: 0, output_cost_per_token: 0 },
  "owl-picture": { litellm_provider: "aviary", mode: "image_generation", output_cost_per_image: 0.04 },
  "lark-1": { litellm_provider: "meadow", input_cost_per_token: 0.000007, output_cost_per_token: 0.00007 },
};

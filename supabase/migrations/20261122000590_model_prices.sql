-- Prices of models, by which tokens become money.
-- Table: model_prices. Operators fill it with npm run admin -- price, or in the dashboard; no prices are shipped.
-- Surprises: a price that is not known is null, never zero. A model without a row has the default price; without that
-- its cost is null, and never nothing.

create table public.model_prices (
  model text primary key,
  input_price numeric not null,
  cached_price numeric,
  output_price numeric,
  reasoning_price numeric,
  is_free boolean not null default false,
  is_by_hand boolean not null default true,
  source text,
  updated_at timestamptz not null default now(),
  constraint model_prices_model_is_1_to_255_characters check (btrim(model) <> '' and char_length(model) <= 255),
  -- NaN and infinity are larger than any number.
  constraint model_prices_are_from_0_to_10000_usd check (
    input_price between 0 and 10000 and cached_price between 0 and 10000 and output_price between 0 and 10000
      and reasoning_price between 0 and 10000
  ),
  constraint model_prices_are_zero_only_of_free_models check (
    is_free or least(input_price, cached_price, output_price, reasoning_price) > 0
  )
);
comment on table public.model_prices is 'Prices of models in USD per million tokens. Answers are priced as they end: a change has no effect on what was counted before.';
comment on column public.model_prices.model is 'The model, by the name that its server is asked for; * stands for all models that have no row.';
comment on column public.model_prices.input_price is 'Of input that the server reads for the first time.';
comment on column public.model_prices.cached_price is 'Of input that the server has in its cache; null: as for other input.';
comment on column public.model_prices.output_price is 'Of texts and calls; null: not known, so that only requests without output have a cost, such as those of an embedding model.';
comment on column public.model_prices.reasoning_price is 'Of thoughts; null: as for other output.';
comment on column public.model_prices.is_free is 'Whether a price may be zero.';
comment on column public.model_prices.is_by_hand is 'Whether an operator has set the price: an import leaves it as it is.';
comment on column public.model_prices.source is 'The list and the provider of an imported price.';

-- The cost of tokens in micro USD, rounded up; null where no price is known. The four counts are disjoint.
create function private.cost_of(
  model text, fresh_input integer, cached_input integer, output integer, reasoning integer
) returns bigint language plpgsql stable security invoker set search_path = '' as $$
declare price public.model_prices;
begin
  select * into price from public.model_prices as listed
  where listed.model in (cost_of.model, '*') order by listed.model = '*' limit 1;
  -- USD per million tokens are micro USD per token. Without tokens, an unknown price does not matter.
  return ceil(
    greatest(cost_of.fresh_input, 0) * price.input_price
    + greatest(cost_of.cached_input, 0) * coalesce(price.cached_price, price.input_price)
    + case when cost_of.output > 0 then cost_of.output * price.output_price else 0 end
    + case when cost_of.reasoning > 0
        then cost_of.reasoning * coalesce(price.reasoning_price, price.output_price) else 0 end
  );
end $$;

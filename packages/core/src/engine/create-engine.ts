import type { EngineHost } from '../host/host.ts';
import { maskJson, maskJsonText } from '../json/mask-json.ts';
import { checkMessages } from '../messages/message-check.ts';
import { checkCompressOptions } from './compress-options.ts';
import type { ContextEngine, EngineIdentity, EngineStatus } from './engine.ts';
import { type EngineState, initialEngineState, reportUsage, reset } from './engine-state.ts';
import { EngineUpdates } from './engine-updates.ts';
import type { EnginePlanner } from './planner.ts';
import { type PassContext, runPass } from './run-pass.ts';
import { type Decision, decide, type TriggerOptions, triggerDefaults } from './trigger.ts';

/**
 * Turns a planner into the engine that hosts call. The engine applies plans, checks every result against the contract,
 * writes reports, and keeps the token state and the trigger. It commits the planner's state only with its plan.
 */
export function createEngine<S>(planner: EnginePlanner<S>, host: EngineHost, identity: EngineIdentity): ContextEngine {
  const { name, stateVersion: version = 1 } = identity;
  const triggerOptions = { ...triggerDefaults, ...planner.trigger };
  const context = engineContext(planner, host, name, triggerOptions);
  const updates = new EngineUpdates(context, identity);
  let passes: Promise<unknown> = Promise.resolve();
  const explain = (promptTokens = context.state.tokens.lastPromptTokens): Decision => {
    const { tokens, trigger } = context.state;
    const size = { promptTokens, thresholdTokens: tokens.thresholdTokens, contextLength: tokens.contextLength };
    return decide(size, trigger, host.clock.now(), triggerOptions);
  };

  return {
    name,
    get state() {
      return context.state.tokens;
    },
    updateFromResponse(usage) {
      context.change(reportUsage(usage));
      announceBlock(context, explain());
    },
    shouldCompress: (promptTokens) => explain(promptTokens).compact,
    explain,
    // Async, so that invalid input rejects the promise instead of throwing.
    async compress(messages, asked = {}) {
      checkMessages(messages);
      checkCompressOptions(asked);
      const run = passes.then(() => updates.whenSettled()).then(() => runPass(context, messages, asked));
      passes = run.catch(() => undefined);
      return run;
    },
    ...sessionMethods(context, updates),
    ...toolMethods(context),
    status() {
      const { state } = context;
      return engineStatus(name, state, explain(), context.mask(planner.status?.(state.planner) ?? {}));
    },
    updateModel: (model) => updates.updateModel(model),
    snapshot() {
      const { planner: state, trigger, tokens, settled } = context.state;
      return structuredClone({ engine: name, version, state: { planner: state, trigger, tokens, settled } });
    },
    restore: (snapshot) => updates.restore(snapshot),
  };
}

function engineContext<S>(
  planner: EnginePlanner<S>,
  host: EngineHost,
  name: string,
  triggerOptions: TriggerOptions,
): PassContext<S> {
  // Planner state ends up in snapshots and planner notes in reports, so both are masked here for every engine.
  const mask = <T>(value: T): T => maskJson(value, (text) => host.redact(text));
  const initial = mask(planner.initial);
  let state = initialEngineState(initial);
  return {
    name,
    planner,
    host,
    initial,
    triggerOptions,
    mask,
    get state() {
      return state;
    },
    change(change) {
      state = change(state);
    },
  };
}

/** Reports once that automatic compaction is blocked, and again only after a block has ended and another begins. */
function announceBlock<S>({ name, host, state, change }: PassContext<S>, { reason, message }: Decision): void {
  const isBlocked = reason === 'cooldown' || reason.startsWith('blocked');
  if (isBlocked && !state.isBlockAnnounced) host.emit({ type: 'threshold-blocked', engine: name, reason, message });
  change((before) => ({ ...before, isBlockAnnounced: isBlocked }));
}

type SessionMethods = Pick<ContextEngine, 'onSessionStart' | 'onResponse' | 'onSessionEnd' | 'onSessionReset'>;

function sessionMethods<S>(
  { planner, initial, mask, change }: PassContext<S>,
  updates: EngineUpdates<S>,
): SessionMethods {
  return {
    async onSessionStart(info) {
      if (info.model) await updates.updateModel(info.model);
      const begun = await planner.session?.start?.(info);
      if (begun !== undefined) change((state) => ({ ...state, planner: mask(begun) }));
    },
    async onResponse(messages, usage) {
      await planner.session?.response?.(messages, usage);
    },
    async onSessionEnd(messages) {
      await planner.session?.end?.(messages);
    },
    onSessionReset: () => change(reset(initial)),
  };
}

function toolMethods<S>(context: PassContext<S>): Pick<ContextEngine, 'toolSchemas' | 'handleToolCall'> {
  const { tools } = context.planner;
  const schemas = tools?.schemas ?? [];
  return {
    toolSchemas: () => schemas,
    async handleToolCall(name, input, call) {
      const isKnown = schemas.some((schema) => schema.function.name === name);
      if (!tools || !isKnown) return JSON.stringify({ error: `Unknown context engine tool: ${name}` });
      const answer = await tools.handle(name, input, { ...call, state: context.state.planner });
      return maskJsonText(answer, context.host.redact);
    },
  };
}

/** Builds the result of `status()` from the engine's state. */
function engineStatus(
  engine: string,
  { model, tokens, trigger }: Pick<EngineState<unknown>, 'model' | 'tokens' | 'trigger'>,
  decision: Decision,
  details: Readonly<Record<string, unknown>>,
): EngineStatus {
  return {
    ...tokens,
    engine,
    model: model?.id ?? null,
    strikes: trigger.strikes,
    cooldownUntil: trigger.cooldown?.until ?? null,
    lastFailure: trigger.lastFailure,
    auxiliaryFailure: trigger.auxiliaryFailure,
    message: decision.message,
    details,
  };
}

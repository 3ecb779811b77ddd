import type { CompressRequest, Draft, EngineHost, PhaseReport } from '@palimpsest/core';
import { pruneInto } from '@palimpsest/pruner';
import { overTarget } from './landing.ts';
import type { CompressorOptions } from './options.ts';

/** Prunes what lies before the newest `protectTokens` and the exchanges to keep. Costs no model call. */
export function prunePhase(
  draft: Draft,
  protectTokens: number,
  request: CompressRequest,
  options: CompressorOptions,
  host: EngineHost,
  name = 'prune',
): PhaseReport {
  const started = host.clock.now();
  const report = pruneInto(draft, {
    protect: { transcript: protectTokens },
    minimum: 0,
    keepTurns: request.keepLastExchanges ?? 0,
    isRequest: host.isRequest,
    redact: host.redact,
    ...(options.pruner?.protectTools ? { protectTools: options.pruner.protectTools } : {}),
  });
  const messages = !report.committed
    ? 0
    : Object.values(report.strategies).reduce((sum, strategy) => sum + (strategy?.count ?? 0), 0);
  return { name, durationMs: host.clock.now() - started, reclaimedTokens: report.reclaimedTokens, messages };
}

/** Prunes into the tail itself, older half first, as long as the target is missed. */
export function tighten(
  draft: Draft,
  tailTokens: number,
  request: CompressRequest,
  options: CompressorOptions,
  host: EngineHost,
): PhaseReport[] {
  const phases: PhaseReport[] = [];
  for (const share of [0.5, 0.25, 0]) {
    if (overTarget(draft, request) === 0) break;
    const phase = prunePhase(draft, Math.floor(tailTokens * share), request, options, host, 'tighten');
    if (phase.messages > 0) phases.push(phase);
  }
  return phases;
}

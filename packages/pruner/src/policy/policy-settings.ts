import type { PersonRecognizer } from '@palimpsest/core';
import type { ToolDescriptor } from '../exchange/tool-descriptor.ts';
import type { Gate } from './gate.ts';

/**
 * What is never pruned: the newest `tokens` tokens of tool output (two-phase style), or the newest `transcript` tokens
 * of all messages (compressor style).
 */
export type Protection =
  | { readonly tokens: number }
  | {
      readonly transcript: number;
      /** Number of newest messages to protect whatever their size; limited to 3 to 8. @default 8 */
      readonly messages?: number | undefined;
      /** Above this many tokens, the protected part is pruned, too, oldest first. @default 1.5 times `transcript` */
      readonly maxTokens?: number | undefined;
    };

/** A policy with all defaults filled in, as passed to strategies. */
export interface PolicySettings {
  readonly protect: Protection;
  readonly minimum: number;
  readonly targetTokens: number | null;
  readonly from: number;
  readonly keepTurns: number;
  readonly stepsForTurns: boolean;
  readonly protectTools: readonly string[];
  readonly redact: ((text: string) => string) | null;
  readonly strategies: readonly { readonly name: string }[];
  readonly tools: readonly ToolDescriptor[];
  readonly placeholder: 'stub' | 'plain';
  readonly gate: Gate | null;
  readonly isFromPerson: PersonRecognizer | null;
}

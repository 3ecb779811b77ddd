import { type ToolClass, type ToolName, toolClass } from '@palimpsest/core/tools';
import type { Classifier, ToolExchange } from './exchange.ts';
import { nameMatcher } from './name-matcher.ts';

/** Tells the pruner about a tool of one's own. */
export interface ToolDescriptor {
  /** The name as called, or the tool's own name in snake case: a text, a glob, or a pattern. */
  readonly match: string | RegExp;
  /** A class, which decides what the stub tells, or a choice by arguments for tools that do several things. */
  readonly class: ToolClass | ((args: Readonly<Record<string, unknown>>) => ToolClass);
  /**
   * Writes the stub without its `[name] ` prefix: one line, only what call and result say. It is redacted and cut to
   * size afterwards; `null` leaves the result as it is.
   */
  readonly stub?: ((exchange: ToolExchange) => string | null) | undefined;
}

/** Types a descriptor; changes nothing. */
export function defineTool(descriptor: ToolDescriptor): ToolDescriptor {
  return descriptor;
}

/** The class of a built-in tool name; tools that read and write under one name are told apart by their `command`. */
function classOf(call: ToolName, args: () => Readonly<Record<string, unknown>>): ToolClass {
  const kind = toolClass(call.tool);
  if (kind !== 'several') return kind;
  const { command } = args();
  return command === 'view' ? 'read' : command === undefined ? 'generic' : 'write';
}

// The same one for the same descriptors: what is known of a result holds for the classifier that read it.
const classifiers = new WeakMap<readonly ToolDescriptor[], Classifier>();

/** Joins the user's descriptors with the built-in classes; the user's are asked first. */
export function classifier(tools: readonly ToolDescriptor[]): Classifier {
  if (tools.length === 0) return classOf;
  const known = classifiers.get(tools);
  if (known) return known;
  const classify: Classifier = (call, args) => {
    const own = descriptorOf(call, tools)?.class ?? classOf(call, args);
    return typeof own === 'function' ? own(args()) : own;
  };
  classifiers.set(tools, classify);
  return classify;
}

/** The first descriptor that matches the call. */
export function descriptorOf(call: ToolName, tools: readonly ToolDescriptor[]): ToolDescriptor | undefined {
  return tools.find(({ match }) =>
    typeof match === 'string' ? nameMatcher([match])(call) : match.test(call.called) || match.test(call.tool),
  );
}

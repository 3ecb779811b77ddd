import { type ToolClass, type ToolName, toolClass } from '@palimpsest/agents';
import { nameMatcher } from '../policy/name-matcher.ts';
import type { Classifier, ToolExchange } from './tool-exchange.ts';

/** Describes a tool of your own to the pruner. */
export interface ToolDescriptor {
  /** Matches the name as called, or the tool's own name in snake case: a string, a glob, or a pattern. */
  readonly match: string | RegExp;
  /** The class, which decides what the stub says. A function picks it by the arguments, for tools that do several things. */
  readonly class: ToolClass | ((args: Readonly<Record<string, unknown>>) => ToolClass);
  /**
   * Writes the stub without its `[name] ` prefix: one line that states only what the call and the result say. It is
   * redacted and shortened afterwards. `null` keeps the result.
   */
  readonly stub?: ((exchange: ToolExchange) => string | null) | undefined;
}

/** Returns the descriptor unchanged; it only provides types. */
export function defineTool(descriptor: ToolDescriptor): ToolDescriptor {
  return descriptor;
}

/** Joins descriptors with the built-in classes. Descriptors come first. */
export function classifier(tools: readonly ToolDescriptor[]): Classifier {
  if (tools.length === 0) return builtInClass;
  return (call, args) => {
    const own = descriptorOf(call, tools)?.class ?? builtInClass(call, args);
    return typeof own === 'function' ? own(args()) : own;
  };
}

/** The first descriptor that matches the call. */
export function descriptorOf(call: ToolName, tools: readonly ToolDescriptor[]): ToolDescriptor | undefined {
  return tools.find(({ match }) =>
    typeof match === 'string'
      ? nameMatcher([match])(call)
      : // Unlike `test`, `search` keeps no state in patterns with the `g` flag.
        call.called.search(match) >= 0 || call.tool.search(match) >= 0,
  );
}

/** The class of a built-in tool name. A tool that reads and writes under one name is classified by its `command`. */
function builtInClass(call: ToolName, args: () => Readonly<Record<string, unknown>>): ToolClass {
  const kind = toolClass(call.tool);
  if (kind !== 'several') return kind;
  const { command } = args();
  return command === 'view' ? 'read' : command === undefined ? 'generic' : 'write';
}

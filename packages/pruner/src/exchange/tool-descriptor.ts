import { type ToolClass, type ToolName, toolClass } from '@palimpsest/agents';
import { nameMatcher } from '../policy/name-matcher.ts';
import type { Classifier, ToolExchange } from './tool-exchange.ts';

/** Describes a tool of your own to the pruner. */
export interface ToolDescriptor {
  /**
   * A name, a glob, or a regular expression. Compared with the name as called and with the tool's own name in snake
   * case.
   */
  readonly match: string | RegExp;
  /**
   * The class, which decides what the stub says. For tools that do several things, a function may choose it by the
   * arguments.
   */
  readonly class: ToolClass | ((args: Readonly<Record<string, unknown>>) => ToolClass);
  /**
   * Writes the stub without its `[name] ` prefix: one line based only on the call and the result. The line is redacted
   * and shortened afterwards. Return `null` to keep the result.
   */
  readonly stub?: ((exchange: ToolExchange) => string | null) | undefined;
}

/** Returns the descriptor unchanged; it only provides types. */
export function defineTool(descriptor: ToolDescriptor): ToolDescriptor {
  return descriptor;
}

/** Creates a classifier that tries the descriptors first, then the built-in classes. */
export function classifier(tools: readonly ToolDescriptor[]): Classifier {
  if (tools.length === 0) return classOfKnownTool;
  return (call, args) => {
    const own = descriptorOf(call, tools)?.class ?? classOfKnownTool(call, args);
    return typeof own === 'function' ? own(args()) : own;
  };
}

/** Returns the first descriptor that matches the call. */
export function descriptorOf(call: ToolName, tools: readonly ToolDescriptor[]): ToolDescriptor | undefined {
  return tools.find(({ match }) =>
    typeof match === 'string'
      ? nameMatcher([match])(call)
      : // Unlike `test`, `search` keeps no state in patterns with the `g` flag.
        call.called.search(match) >= 0 || call.tool.search(match) >= 0,
  );
}

/**
 * Returns the class of a known tool name. A tool that both reads and writes is classified by its argument `command`.
 */
function classOfKnownTool(call: ToolName, args: () => Readonly<Record<string, unknown>>): ToolClass {
  const kind = toolClass(call.tool);
  if (kind !== 'several') return kind;
  const { command } = args();
  return command === 'view' ? 'read' : command === undefined ? 'generic' : 'write';
}

/**
 * The parts of `@opencode-ai/plugin` and `@opencode-ai/sdk` that the plugin uses. Structurally typed, because Kilo has the
 * same plugins under another name.
 */
export interface OpencodeInput {
  readonly client: {
    readonly config: {
      providers(): Promise<{ readonly data?: { readonly providers: readonly OpencodeProvider[] } | undefined }>;
    };
    readonly app: {
      log(options: { body: { service: string; level: 'error'; message: string } }): Promise<unknown>;
    };
    readonly path: { get(): Promise<{ readonly data?: { readonly state: string } | undefined }> };
  };
}

interface OpencodeProvider {
  readonly id: string;
  readonly models: Readonly<Record<string, { readonly limit: ModelLimit } | undefined>>;
}

/** Tokens. */
export interface ModelLimit {
  readonly context: number;
  readonly output: number;
}

/** The hooks that the plugin implements. */
export interface OpencodeHooks {
  'experimental.chat.messages.transform'(input: object, output: { messages: OpencodeMessage[] }): Promise<void>;
  'experimental.chat.system.transform'(
    input: { readonly sessionID?: string | undefined },
    output: { readonly system: readonly string[] },
  ): Promise<void>;
  'experimental.session.compacting'(input: { readonly sessionID: string }): Promise<void>;
  config(opencode: OpencodeConfig): Promise<void>;
  'command.execute.before'(
    input: { readonly command: string; readonly sessionID: string },
    output: { readonly parts: object[] },
  ): Promise<void>;
  'tool.definition'(input: { readonly toolID: string }, output: ToolDeclaration): Promise<void>;
  event(input: { readonly event: OpencodeEvent }): Promise<void>;
  dispose(): Promise<void>;
  tool: Record<string, OpencodeTool>;
}

interface OpencodeEvent {
  readonly type: string;
  readonly properties: unknown;
}

/** The part of opencode's configuration that the plugin adds to. */
interface OpencodeConfig {
  command?: Record<string, { template: string; description?: string }>;
}

interface ToolDeclaration {
  readonly description: string;
  readonly parameters: unknown;
  /** What the model gets, where it is known. */
  jsonSchema?: unknown;
}

/** A tool that the model can call. */
export interface OpencodeTool {
  description: string;
  // biome-ignore lint/suspicious/noExplicitAny: opencode's type has zod schemas here, but it also accepts JSON Schema; with `object`, the plugin would not be a `PluginModule`
  args: any;
  execute(
    args: Record<string, unknown>,
    context: { readonly sessionID: string; readonly abort: AbortSignal },
  ): Promise<string>;
}

/** A message with its parts, as opencode stores it. */
export interface OpencodeMessage {
  readonly info: OpencodeInfo;
  readonly parts: readonly OpencodePart[];
}

/** The fields of a message without its parts. */
export interface OpencodeInfo {
  readonly id: string;
  readonly sessionID: string;
  readonly role: 'user' | 'assistant';
}

/** A part of a message. Other fields depend on the type. */
export interface OpencodePart {
  readonly type: string;
}

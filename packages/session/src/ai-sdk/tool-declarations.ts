import { asSchema, type ToolSet } from 'ai';

/** Converts tools to declarations as providers receive them: name, description and schema. */
export async function declarations(tools: ToolSet | undefined): Promise<readonly unknown[] | undefined> {
  if (!tools) return undefined;
  return Promise.all(
    Object.entries(tools).map(async ([name, { description, inputSchema }]) => ({
      name,
      description,
      parameters: await asSchema(inputSchema).jsonSchema,
    })),
  );
}

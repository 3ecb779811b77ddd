// Not installed in this repository: it takes 200 MB. Delete this file in a copy of the example.
declare module '@mastra/core/agent';
declare module '@mastra/core/tools';

import { z } from 'zod';

// Compiled validators need eval, which the page's security policy also forbids in workers. This must run before the
// engines declare their options, so this module is imported first.
z.config({ jitless: true });

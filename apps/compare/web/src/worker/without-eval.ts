import { z } from 'zod';

// Compiled validators need eval, which the page's security policy forbids to its workers, too. Has to be said before
// the engines' options are declared, and so before anything else is loaded.
z.config({ jitless: true });

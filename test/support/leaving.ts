/** A test that ends its process, for the test of the runner. */
import { it } from 'node:test';

it('that ends the process', () => process.exit(0));

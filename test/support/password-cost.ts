import { setPasswordCost } from '../../lib/domains/users/passwords.ts';

/** A run hashes about 800 passwords, at 90 ms each. */
setPasswordCost(4);

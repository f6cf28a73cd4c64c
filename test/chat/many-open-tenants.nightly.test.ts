import { playTenants } from './many-open-tenants.ts';

playTenants(1_000, 200);

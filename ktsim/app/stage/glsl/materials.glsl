// One function per material id (vertex alpha / 16). Each turns the painted colour into a surface by position alone.
struct Surface { vec3 albedo; float rough, metal, height, bump, specular, glow; };
// Where a pixel lies: world and piece coordinates, a flat uv on its face, and three octaves every material shares.
struct Spot { vec3 world, local; vec2 uv; bool top; float up, big, mid, fine; };

void ashlar(inout Surface s, Spot p) {
    if (!p.top) {
        float course = .40, row = floor(p.uv.y / course);
        vec2 b = vec2(p.uv.x / .86 + .5 * mod(row, 2.) + .13 * hash2(vec2(row, 4.)), p.uv.y / course);
        vec2 id = floor(b), f = abs(fract(b) - .5);
        float joint = max(line(.5 - f.x, .030), line(.5 - f.y, .055)), t = hash2(id + 7.);
        s.albedo *= .80 + .42 * t;
        s.albedo = mix(s.albedo, s.albedo * vec3(1.08, .97, .86), hash2(id + 3.));
        s.albedo *= mix(1., .42, joint);
        s.height += .006 * t - .022 * joint;
    }
    s.albedo *= .62 + .62 * p.mid + .18 * p.fine;
    s.height += .006 * p.fine + .014 * p.mid;
    if (!p.top) s.albedo *= 1. - .42 * smoothstep(.52, .8, noise2(vec2(p.uv.x * 2.6, p.uv.y * .22 + 3.))) * smoothstep(0., 3., p.world.z + 1.);
    s.albedo = mix(s.albedo, dot(s.albedo, vec3(.35, .4, .25)) * vec3(.90, .97, 1.06), .75 * smoothstep(.38, .60, fbm(p.world * .33 + 21.)));
    s.albedo = mix(s.albedo, s.albedo * vec3(.42, .40, .40), smoothstep(.52, .72, p.big) * .65);
}

void concrete(inout Surface s, Spot p) {
    s.albedo *= .62 + .55 * p.mid + .22 * p.fine;
    float k = crack(p.uv * 1.1 + p.big * 1.4);
    float c = (1. - smoothstep(.0, .035, k)) * smoothstep(.5, .65, noise3(p.world * .9 + 5.));
    s.albedo *= 1. - .55 * c;
    s.height += .008 * p.fine + .014 * p.mid - .02 * c;
    if (!p.top) s.albedo *= 1. - .35 * smoothstep(.55, .8, noise2(vec2(p.uv.x * 4., p.uv.y * .3)));
    s.rough = .9;
}

// Paint over metal, chipped and streaked; with stripes for warnings.
void paint(inout Surface s, Spot p, bool striped) {
    if (striped) {
        float t = fract((p.uv.x + p.uv.y) * 1.9);
        s.albedo = mix(vec3(.018), s.albedo, smoothstep(.48, .5, t) * (1. - smoothstep(.98, 1., t)));
    }
    float c = fbm(p.world * 3.6 + 11.) + .10 * (p.fine - .5);
    float chip = smoothstep(.615, .635, c), halo = smoothstep(.55, .63, c);
    s.albedo *= .72 + .5 * p.mid;
    vec3 rust = mix(vec3(.13, .045, .014), vec3(.05, .022, .012), p.mid);
    s.albedo = mix(s.albedo, rust, .55 * halo);
    s.albedo = mix(s.albedo, mix(rust, vec3(.10, .10, .105), .45), chip);
    if (!p.top) s.albedo = mix(s.albedo, rust * .8, .55 * smoothstep(.60, .86, noise2(vec2(p.uv.x * 5., p.uv.y * .35 + p.world.x * .1))));
    s.rough = mix(.46, .85, halo);
    s.specular = .05;
    s.height += .003 * p.fine - .012 * chip;
}

void steel(inout Surface s, Spot p) {
    float brushed = noise2(vec2(p.uv.x * 2., p.uv.y * 26.));
    s.albedo *= .65 + .35 * p.mid + .25 * brushed;
    float rust = smoothstep(.56, .72, fbm(p.world * 2.9 + 2.));
    s.albedo = mix(s.albedo, vec3(.10, .045, .02), .65 * rust);
    s.metal = .5 * (1. - .8 * rust);
    s.rough = mix(.42, .8, rust);
    s.specular = .25;
    s.height += .004 * brushed;
}

void rusted(inout Surface s, Spot p) {
    s.albedo = mix(vec3(.16, .062, .020), vec3(.045, .024, .016), smoothstep(.3, .65, p.mid)) * (.7 + .5 * p.fine);
    s.height += .012 * p.fine;
    s.rough = .9;
}

// Flagstones, some split into setts, with cracks, ash, scorch and puddles.
void street(inout Surface s, Spot p) {
    vec2 t = p.world.xy / 2.2;
    t.y += .5 * mod(floor(t.x), 2.);
    vec2 id = floor(t), f = fract(t);
    float k = hash2(id + 19.), q = 1.;
    if (k > .45) {
        q = k > .8 ? 4. : 2.;
        vec2 u = f * q;
        if (q > 3.) u.x += .5 * mod(floor(u.y), 2.);
        id += floor(u) * .173;
        f = fract(u);
    }
    vec2 d = (.5 - abs(f - .5)) / q * 2.2;
    float e = min(d.x, d.y), joint = 1. - smoothstep(.02, .05, e), bevel = smoothstep(.03, .11, e), r = hash2(id * 7.3 + 1.);
    s.albedo *= .74 + .5 * r;
    s.albedo = mix(s.albedo, s.albedo * vec3(1.08, .98, .86), hash2(id * 3.1));
    s.albedo *= .66 + .5 * p.mid + .2 * p.fine;
    float c = crack(p.world.xy * .62 + vec2(p.big, p.mid) * .7);
    c = (1. - smoothstep(0., .028, c)) * smoothstep(.50, .60, noise2(p.world.xy * .23 + 3.));
    s.albedo *= 1. - .72 * max(joint, c * .9);
    s.height = .030 * bevel - .03 * c + .012 * r + .02 * p.mid + .010 * p.fine;
    float ash = smoothstep(.48, .72, fbm(vec3(p.world.xy * .33, 1.)));
    s.albedo = mix(s.albedo, vec3(.115, .098, .08) * (.7 + .5 * p.mid), ash * .62);
    s.height *= 1. - .5 * ash;
    s.albedo *= 1. - .5 * smoothstep(.62, .75, noise2(p.world.xy * .19 + 8.) * .7 + p.mid * .3);
    float puddle = smoothstep(.70, .73, noise2(p.world.xy * .30 + 21.) * .8 + p.big * .22);
    s.albedo *= 1. - .45 * puddle;
    s.rough = mix(.9, .16, puddle);
    s.specular = mix(.03, .12, puddle);
    s.height *= 1. - .85 * puddle;
}

// Deck plates per grid cell: tread, drains, rivets, oil.
void deck(inout Surface s, Spot p) {
    vec2 g = p.world.xy / cell, at = floor(g);
    float kind = hash2(at + 5.);
    vec2 n = kind < .33 ? vec2(2, 2) : (kind < .66 ? vec2(1, 3) : vec2(3, 1));
    vec2 t = g * n, id = floor(t) + at * 5., d = (.5 - abs(fract(t) - .5)) / n * cell, dg = (.5 - abs(fract(g) - .5)) * cell;
    float e = min(d.x, d.y), r = hash2(id + 2.);
    s.albedo *= .70 + .42 * r;
    float joint = 1. - smoothstep(.015, .035, e), seam = 1. - smoothstep(.05, .075, min(dg.x, dg.y)), lip = smoothstep(.02, .07, e);
    float tread = 0., drain = 0.;
    if (r > .5) {
        vec2 w = p.world.xy * 3.2, q = fract(w) - .5;
        q = mod(floor(w.x) + floor(w.y), 2.) > .5 ? q : q.yx;
        q = mat2(.707, -.707, .707, .707) * q;
        tread = (1. - smoothstep(.05, .09, abs(q.x))) * (1. - smoothstep(.26, .32, abs(q.y))) * smoothstep(.1, .16, e);
    }
    if (r < .16) drain = smoothstep(.12, .2, abs(fract((n.x > n.y ? p.world.y : p.world.x) * 4.2) - .5)) * smoothstep(.16, .2, e);
    float rivet = 1. - smoothstep(.035, .06, length(d - vec2(.15)));
    s.albedo *= .62 + .55 * p.mid + .15 * p.fine;
    float rust = smoothstep(.57, .74, fbm(p.world * 1.9 + 6.)), oil = smoothstep(.62, .70, fbm(vec3(p.world.xy * .5, 9.)));
    s.albedo = mix(s.albedo, vec3(.070, .036, .022) * (.6 + .6 * p.mid), .55 * rust);
    s.albedo *= (1. - .5 * oil) * (1. - .75 * max(joint, seam * .8)) * (1. - .88 * drain) * (1. + .35 * tread + .3 * rivet);
    s.height = .02 * lip + .022 * tread + .03 * rivet - .05 * drain - .03 * seam + .008 * p.mid;
    s.metal = .35 * (1. - rust);
    s.rough = mix(mix(.52, .30, oil), .85, rust);
    s.specular = .10;
}

void water(inout Surface s, Spot p) {
    const float t = 3.;
    vec2 w = p.world.xy;
    float deep = texture(shore, w / board_size).r;
    float swell = noise2(w * .42 + vec2(t * .22, t * .13)) + .55 * noise2(w * 1.05 - vec2(t * .3, -t * .17)) + .28 * noise2(w * 2.4 + vec2(-t * .4, t * .5)) + .13 * noise2(w * 5.6 + t * .6);
    s.albedo = mix(vec3(.050, .105, .098), vec3(.008, .030, .038), smoothstep(0., .42, deep)) * (.55 + .45 * swell);
    float edge = deep * 2.6 + 2. * (.07 * noise2(w * 1.5 + t * .3) + .05 * noise2(w * 4. - t * .2));
    float net = 1. - smoothstep(.03, .13, crack(w * 2.3 + vec2(swell * .8, t * .1)));
    float foam = (1. - smoothstep(.12, .26, edge)) + (1. - smoothstep(.02, .08, abs(edge - .46))) * .55 + (1. - smoothstep(.01, .06, abs(edge - .78))) * .3;
    foam = clamp(foam * (.35 + .9 * net) + .10 * net * (1. - smoothstep(.2, .8, edge)), 0., 1.);
    foam = max(foam, .22 * smoothstep(1.30, 1.55, swell) * net);
    float scum = smoothstep(.60, .74, fbm(vec3(w * .28 + swell * .1, 2.)));
    s.albedo = mix(mix(s.albedo, vec3(.030, .042, .028), .6 * scum), vec3(.46, .50, .47), foam);
    s.rough = mix(mix(.16, .34, scum), .9, foam);
    s.specular = .03;
    s.height = swell * .34 * (1. - .4 * scum);
}

void grating(inout Surface s, Spot p) {
    s.albedo *= .62 + .55 * p.mid;
    if (p.up > .6) {
        float across = abs(fract(p.local.x * 7.) - .5), along = abs(fract(p.local.y * 2.2) - .5);
        float bar = max(smoothstep(.26, .34, across), smoothstep(.43, .46, along));
        s.albedo *= mix(.10, 1.15, bar);
        s.height = .03 * bar;
    }
    float rust = smoothstep(.54, .68, fbm(p.world * 1.7 + 6.));
    s.albedo = mix(s.albedo, vec3(.12, .05, .02) * (.3 + s.albedo * 5.), .5 * rust);
    s.metal = .4 * (1. - rust);
    s.rough = .5;
    s.specular = .15;
}

void cloth(inout Surface s, Spot p) {
    s.albedo *= (.7 + .5 * p.mid) * (.7 + .45 * noise2(vec2(p.uv.x * 9., p.uv.y * 1.3)));
    s.height = .05 * noise2(vec2(p.uv.x * 7., p.uv.y * .8));
    s.rough = 1.;
}

// Cast slabs with stains and a wet edge.
void island(inout Surface s, Spot p) {
    vec2 t = p.world.xy / 3.1 + .37, id = floor(t), d = (.5 - abs(fract(t) - .5)) * 3.1;
    bool flat_top = p.up > .6;
    float land = texture(shore, p.world.xy / board_size).g * 4.;
    if (flat_top) {
        float joint = 1. - smoothstep(.02, .045, min(d.x, d.y));
        s.albedo *= (.84 + .3 * hash2(id)) * (1. - .6 * joint);
        s.height -= .03 * joint;
    }
    s.albedo *= .58 + .62 * p.mid + .16 * p.fine;
    float c = (1. - smoothstep(0., .03, crack(p.world.xy * .5 + p.mid * .6))) * smoothstep(.5, .6, p.big);
    if (flat_top) { s.albedo *= 1. - .6 * c; s.height -= .02 * c; }
    s.albedo = mix(s.albedo, vec3(.13, .065, .03), .45 * smoothstep(.60, .74, fbm(p.world * .8 + 16.)));
    float wet = max(1. - smoothstep(.10, .30, land * .25 + .12 * p.mid), smoothstep(-.02, -.35, p.world.z));
    s.albedo *= 1. - .55 * wet;
    s.albedo = mix(s.albedo, s.albedo * vec3(.8, 1.05, .9), wet);
    s.rough = mix(.88, .35, wet);
    s.specular = mix(.03, .1, wet);
    float puddle = flat_top ? smoothstep(.66, .70, noise2(p.world.xy * .33 + 31.) * .8 + p.big * .22) : 0.;
    s.albedo *= 1. - .4 * puddle;
    s.rough = mix(s.rough, .12, puddle);
    s.specular = mix(s.specular, .12, puddle);
    s.height = s.height * (1. - .8 * puddle) + .014 * p.fine + .02 * p.mid;
}

Surface surface(int material, vec3 colour, Spot p) {
    Surface s = Surface(pow(colour, vec3(2.2)), .85, 0., 0., 1., .04, 0.);
    if (material == 1) ashlar(s, p);
    else if (material == 2) concrete(s, p);
    else if (material == 3) paint(s, p, false);
    else if (material == 4) steel(s, p);
    else if (material == 5) rusted(s, p);
    else if (material == 6) s.glow = 1.;
    else if (material == 7) street(s, p);
    else if (material == 8) deck(s, p);
    else if (material == 9) water(s, p);
    else if (material == 10) grating(s, p);
    else if (material == 11) cloth(s, p);
    else if (material == 12) { s.albedo *= .90 + .2 * p.mid; s.rough = .42; s.specular = .06; }
    else if (material == 13) island(s, p);
    else if (material == 14) paint(s, p, true);
    else if (material == 15) { s.albedo *= .8 + .3 * p.mid; s.rough = .7; s.bump = 0.; }
    else { s.albedo *= .75 + .4 * p.mid + .1 * p.fine; s.rough = .8; s.height = .004 * p.fine; }
    // Grime settles low on walls and in patches on flat tops.
    if (material < 6 || material == 10 || material == 11 || material == 14) {
        float low = exp(-max(p.world.z, 0.) * 1.25) * smoothstep(.25, .65, fbm(p.world * 1.4 + 7.));
        if (p.up < .5) s.albedo = mix(s.albedo, grime_colour, .75 * low * grime);
        s.albedo = mix(s.albedo, grime_colour * 1.6, grime * .28 * smoothstep(.5, .7, p.big) * step(.6, p.up));
    }
    return s;
}

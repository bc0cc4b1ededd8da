float hash2(vec2 p) { vec3 q = fract(vec3(p.xyx) * .1031); q += dot(q, q.yzx + 33.33); return fract((q.x + q.y) * q.z); }
float hash3(vec3 p) { p = fract(p * .1031); p += dot(p, p.zyx + 31.32); return fract((p.x + p.y) * p.z); }
float noise2(vec2 x) {
    vec2 i = floor(x), f = fract(x);
    f = f * f * (3. - 2. * f);
    return mix(mix(hash2(i), hash2(i + vec2(1, 0)), f.x), mix(hash2(i + vec2(0, 1)), hash2(i + vec2(1, 1)), f.x), f.y);
}
float noise3(vec3 x) {
    vec3 i = floor(x), f = fract(x);
    f = f * f * (3. - 2. * f);
    return mix(mix(mix(hash3(i), hash3(i + vec3(1, 0, 0)), f.x), mix(hash3(i + vec3(0, 1, 0)), hash3(i + vec3(1, 1, 0)), f.x), f.y),
               mix(mix(hash3(i + vec3(0, 0, 1)), hash3(i + vec3(1, 0, 1)), f.x), mix(hash3(i + vec3(0, 1, 1)), hash3(i + vec3(1, 1, 1)), f.x), f.y), f.z);
}
float fbm(vec3 p) { return .5 * noise3(p) + .27 * noise3(p * 2.7 + 3.) + .15 * noise3(p * 7.1 + 9.) + .08 * noise3(p * 17.); }
// Distance to the border between cells of a Voronoi pattern: cracks and foam.
float crack(vec2 p) {
    vec2 i = floor(p), f = fract(p);
    float a = 9., b = 9.;
    for (int x = -1; x <= 1; x++) for (int y = -1; y <= 1; y++) {
        vec2 g = vec2(x, y);
        vec2 r = g + vec2(hash2(i + g), hash2(i + g + 71.)) - f;
        float d = dot(r, r);
        if (d < a) { b = a; a = d; } else b = min(b, d);
    }
    return sqrt(b) - sqrt(a);
}
float line(float x, float w) { return 1. - smoothstep(w * .6, w, abs(x)); }
